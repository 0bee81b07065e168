# SPDX-License-Identifier: Apache-2.0
# A line an ending and rule of crowds, a column a board, of what `plenum sweep … --json` prints of endings; called with jq -rs.
# In a field, separated by blanks: wins of white/of black in per cent of the legal positions with white to move; the same with black to
# move; the longest wins in plies, of white/of black; mutual zugzwangs, as in data/findings/crowds.md.
def percent($all): . / $all * 1000 | round / 10 | tostring;
def side: "\(.legal as $all | .first | percent($all))/\(.legal as $all | .second | percent($all))";
def number: if . == null then "-" else tostring end;
def zugzwangs: "\(.first),\(.second),\(.both)" | if . == "0,0,0" then "-" else . end;
def field: "\(.positions.white_to_move | side) \(.positions.black_to_move | side) \(.positions.longest.first | number)/\(.positions.longest.second | number) \(.positions.mutual_zugzwangs.canonical | zugzwangs)";
def rule: .options | if .crowd != "open" then .crowd else "\(.share) \(.capture)" end;
def first_of_each: reduce .[] as $one ([]; if any(. == $one) then . else . + [$one] end);
def pad($widths): [., $widths] | transpose | map(.[0] + ([range(.[1] - (.[0] | length))] | map(" ") | join(""))) | join("  ") | sub(" +$"; "");
map(select(.error == null)) as $games
| ($games | map(.options.board) | first_of_each) as $boards
| ($games | map([.options.material, rule]) | first_of_each) as $found
| ($found | map(.[0]) | first_of_each | map(. as $material | $found[] | select(.[0] == $material))) as $rows
| [["ending", "rule"] + $boards]
  + ($rows | map(. as [$material, $rule] | [$material, $rule] + ($boards | map(
      . as $board | [$games[] | select([.options.board, .options.material, rule] == [$board, $material, $rule]) | field][0] // ""))))
| (transpose | map(map(length) | max)) as $widths
| .[] | pad($widths)
