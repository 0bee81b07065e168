# SPDX-License-Identifier: Apache-2.0
# A line a game, of what `plenum sweep … --json` prints; called with jq -rs. The columns are those of data/findings/README.md.
def percent: if . == null then "-" else (. * 1000 | round / 10 | tostring) + "%" end;
def rounded: if . == null then "-" else (. * 100 | round / 100 | tostring) end;
def share($part; $all): if $part == null or $all == null or $all == 0 then null else $part / $all end;
def result: if .outcome == "tie" or .outcome == "cycle" then .outcome
  elif .outcome == null then "-"
  else "\(.outcome) by \(.margin | if . < 0 then -. else . end)\(if .plies == null then "" else " in \(.plies)" end)" end;
def pad($widths): [., $widths] | transpose | map(.[0] + ([range(.[1] - (.[0] | length))] | map(" ") | join(""))) | join("  ") | sub(" +$"; "");
map(select(.error == null)) as $games
| ($games | map(.options) | (.[0] // {} | keys_unsorted) as $names
   | [$names[] as $n | select($n == "board" or (map(.[$n]) | unique | length) > 1) | $n]) as $varied
| [$varied + ["value", "with the pie", "openings", "level", "random play", "critical", "skill", "changes"]]
  + ($games | map(
      . as $g
      | [$varied[] | $g.options[.] | tostring]
      + [(.value | result),
         (if .pie == null then "-" else .pie.margin | tostring end),
         (if .balance == null then "-" else .balance.openings | "\(.first)/\(.tie + .cycle)/\(.second)" end),
         (share((.positions.tie // 0) + (.positions.cycle // 0);
                if .positions == null then null else .positions | .first + .second + .tie + .cycle end) | percent),
         (if .random_play == null then "-" else .random_play | "\(.first | percent) \(.tie + .endless | percent) \(.second | percent)" end),
         (share(.measures.positions.critical; .measures.positions.positions) | percent),
         (.measures.skill | rounded),
         (.measures.erring.changes | rounded)]))
| (transpose | map(map(length) | max)) as $widths
| .[] | pad($widths)
