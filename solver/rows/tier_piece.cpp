// SPDX-License-Identifier: Apache-2.0
#include "solver/rows/tier_piece.h"

namespace plenum {
namespace {

constexpr const char* kMore = "more";

}  // namespace

bool load_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers,
                std::span<std::uint8_t> more) {
  const auto file = checkpoint.load(piece.name);
  if (!file) return false;
  const TableReader& table = **file;
  if (table.header() != piece.name) return false;  // a file that was renamed: another tier's may be as long
  const BoardIndex boards = piece.end - piece.begin;
  for (const auto& [name, bytes] : layers) {
    const auto layer = table.find_layer(name);
    if (!layer || table.layers()[*layer].bytes != boards * bytes->size()) return false;
    for (std::size_t state = 0; state < bytes->size(); ++state) {
      const std::span<std::uint8_t> to((*bytes)[state].data() + piece.begin, boards);
      if (!table.read(*layer, state * boards, to).ok()) return false;
    }
  }
  return more.empty() || Checkpoint::read(table, kMore, more);
}

absl::Status save_piece(const Checkpoint& checkpoint, const TierPiece& piece, const NamedLayers& layers,
                        std::span<const std::uint8_t> more) {
  const BoardIndex boards = piece.end - piece.begin;
  std::vector<Checkpoint::Layer> out;
  for (const auto& [name, bytes] : layers) {
    std::vector<std::span<const std::uint8_t>> parts;
    parts.reserve(bytes->size());
    for (const Bytes& of_state : *bytes) parts.push_back(std::span(of_state).subspan(piece.begin, boards));
    out.emplace_back(name, std::move(parts));
  }
  if (!more.empty()) out.emplace_back(kMore, more);
  return checkpoint.save(piece.name, piece.name, out);
}

}  // namespace plenum
