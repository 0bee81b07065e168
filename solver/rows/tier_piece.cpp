// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/tier_piece.h"

#include <algorithm>
#include <memory>

#include <absl/strings/str_format.h>

#include "solver/cluster/ranked_piece.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

constexpr const char* kMore = "more";

bool read_piece(const TableReader& table, const TierPiece& piece, const NamedLayers& layers,
                std::span<std::uint8_t> more) {
  if (table.header() != piece.name) return false;  // a file that was renamed: another tier's may be as long
  const BoardIndex boards = piece.end - piece.begin;
  for (const auto& [name, bytes] : layers) {
    const auto layer = table.find_layer(name);
    if (!layer || table.layers()[*layer].bytes != boards * bytes->size()) return false;
    for (std::size_t state = 0; state < bytes->size(); ++state) {
      for (const Share& range : piece.own) {
        const std::span<std::uint8_t> to((*bytes)[state].data() + range.begin, range.end - range.begin);
        if (!table.read(*layer, state * boards + range.begin - piece.begin, to).ok()) return false;
      }
    }
  }
  return more.empty() || Checkpoint::read(table, kMore, more);
}

}  // namespace

TierPiece TierPiece::of(const std::string& kind, const DenseIndex& index, int stones, int until, const Ranks& ranks) {
  return {absl::StrFormat("%s-%03d", kind, stones), index.begin(stones), index.begin(until),
          own_boards(index, stones, until, ranks)};
}

bool load_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers, Ranks& ranks,
                std::span<std::uint8_t> more) {
  const auto file = load_ranked(checkpoint, piece.name, ranks);
  if (!file) return false;
  std::vector<std::uint8_t> read(ranks.root() ? more.size() : 0);  // taken over if all ranks could read theirs
  if (ranks.any(!read_piece(**file, piece, layers, read))) return false;
  std::copy(read.begin(), read.end(), more.begin());
  return true;
}

absl::Status save_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers, Ranks& ranks,
                        std::span<const std::uint8_t> more) {
  const BoardIndex boards = piece.end - piece.begin;
  std::vector<RankedLayer> out;
  for (const auto& [name, bytes] : layers) {
    RankedLayer& layer = out.emplace_back(RankedLayer{name, boards * bytes->size(), {}});
    for (std::size_t state = 0; state < bytes->size(); ++state) {
      for (const Share& range : piece.own) {
        layer.own.push_back({state * boards + range.begin - piece.begin,
                             {(*bytes)[state].data() + range.begin, range.end - range.begin}});
      }
    }
  }
  if (!more.empty()) {
    RankedLayer& layer = out.emplace_back(RankedLayer{kMore, more.size(), {}});
    if (ranks.root()) layer.own.push_back({0, more});
  }
  return save_ranked(checkpoint, piece.name, piece.name, out, ranks);
}

}  // namespace plenum
