// SPDX-License-Identifier: Apache-2.0
#include "solver/one_pass/one_pass_kept.h"

#include <algorithm>
#include <cstring>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

namespace plenum {
namespace {

constexpr const char* kKeptCounts = "counts";
constexpr const char* kReached = "reached";
constexpr const char* kAhead = "ahead";  // reached so far with more stones
constexpr const char* kSets = "sets";

using Piece = std::span<const std::uint8_t>;

std::string tier_name(const char* pass, int stones) { return absl::StrFormat("%s-%03d", pass, stones); }

Checkpoint::Layer counts_layer(const OnePassCounts& counts) {
  return {kKeptCounts, counter_bytes(std::span(&counts, 1))};
}

// A layer of as many bytes for each layer of the index, added to what is there from a place on.
bool or_into(const TableReader& piece, const char* name, std::uint64_t from, std::vector<BigBytes>& to) {
  const auto layer = piece.find_layer(name);
  if (!layer || piece.layers()[*layer].bytes % to.size() != 0) return false;
  const std::uint64_t each = piece.layers()[*layer].bytes / to.size();
  if (from + each > to[0].size()) return false;
  std::vector<std::uint8_t> bits(each);
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (!piece.read(*layer, k * each, bits).ok()) return false;
    for (std::uint64_t i = 0; i < each; ++i) to[k][from + i] |= bits[i];
  }
  return true;
}

}  // namespace

void OnePassCounts::add(const OnePassCounts& other) {
  reached.add(other.reached);
  whole.add(other.whole);
  positions += other.positions;
  successors += other.successors;
  worthless |= other.worthless;
}

std::vector<std::uint8_t> bytes_of_sets(const DenseIndex& index) {
  std::vector<std::uint8_t> out;
  out.reserve(4 * index.blocks().size());
  for (const Block& block : index.blocks()) {
    for (int byte = 0; byte < 4; ++byte) out.push_back(static_cast<std::uint8_t>(block.set >> (8 * byte)));
  }
  return out;
}

std::optional<std::vector<CellSet>> read_sets(const TableReader& from, int cells) {
  const auto layer = from.find_layer(kSets);
  if (!layer || from.layers()[*layer].bytes % 4 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes(from.layers()[*layer].bytes);
  if (!from.read(*layer, 0, bytes).ok()) return std::nullopt;
  std::vector<CellSet> out(bytes.size() / 4);
  for (std::size_t i = 0; i < bytes.size(); ++i) out[i / 4] |= static_cast<CellSet>(bytes[i]) << (8 * (i % 4));
  if (std::any_of(out.begin(), out.end(), [&](CellSet set) { return set >> cells != 0; })) return std::nullopt;
  return out;
}

OnePassPieces::OnePassPieces(const OnePassOptions& options, const DenseIndex& index)
    : checkpoint_(options.checkpoint), index_(index) {
  std::uint64_t sets = 0xCBF29CE484222325U;  // FNV-1a, of words
  for (const Block& block : index.blocks()) sets = (sets ^ block.set) * 0x100000001B3U;
  identity_ = absl::StrCat("sets ", index.blocks().size(), " ", absl::Hex(sets), " remoteness=", options.remoteness,
                           " counts=", options.counts, " whole_board=", options.whole_board);
}

std::string OnePassPieces::header(const std::string& name) const { return absl::StrCat(name, " ", identity_); }

std::shared_ptr<TableReader> OnePassPieces::load(const std::string& name, OnePassCounts& counts) const {
  if (checkpoint_ == nullptr) return nullptr;
  const auto piece = checkpoint_->load(name);
  const bool is_own = piece && (*piece)->header() == header(name) &&
                      Checkpoint::read(**piece, kKeptCounts, counter_bytes(std::span(&counts, 1)));
  return is_own ? *piece : nullptr;
}

absl::Status OnePassPieces::save(const std::string& name, std::vector<Checkpoint::Layer> layers) const {
  return checkpoint_->save(name, header(name), layers);
}

bool OnePassPieces::load_reached(int stones, BoardIndex begin, BoardIndex end, OnePassBytes& bytes,
                                 OnePassCounts& counts) const {
  const auto piece = load(tier_name("reach", stones), counts);
  return piece != nullptr && or_into(*piece, kReached, begin * bytes.bits / 8, bytes.reached) &&
         or_into(*piece, kAhead, end * bytes.bits / 8, bytes.reached);
}

absl::Status OnePassPieces::save_reached(int stones, BoardIndex begin, BoardIndex end, const OnePassBytes& bytes,
                                         const OnePassCounts& counts) const {
  if (checkpoint_ == nullptr) return absl::OkStatus();
  // The first and the last byte may hold some of their neighbours.
  const std::uint64_t from = begin * bytes.bits / 8;
  const std::uint64_t to = (end * bytes.bits + 7) / 8;
  const std::uint64_t ahead = end * bytes.bits / 8;
  std::uint64_t last = ahead;
  std::vector<Piece> reached;
  for (const BigBytes& layer : bytes.reached) {
    const Piece all(layer.data(), layer.size());
    reached.push_back(all.subspan(from, to - from));
    const auto end_of_bits = std::find_if(all.rbegin(), all.rend() - static_cast<std::ptrdiff_t>(ahead),
                                          [](std::uint8_t byte) { return byte != 0; });
    last = std::max<std::uint64_t>(last, static_cast<std::uint64_t>(all.rend() - end_of_bits));
  }
  std::vector<Piece> beyond;
  for (const BigBytes& layer : bytes.reached) beyond.emplace_back(layer.data() + ahead, last - ahead);
  return save(tier_name("reach", stones), {counts_layer(counts), {kReached, reached}, {kAhead, beyond}});
}

bool OnePassPieces::load_values(int stones, BoardIndex begin, BoardIndex end, OnePassBytes& bytes,
                                OnePassCounts& counts) const {
  const auto piece = load(tier_name("tier", stones), counts);
  if (piece == nullptr) return false;
  const auto read = [&](DenseLayer what, std::vector<BigBytes>& to) {
    const auto layer = piece->find_layer(kDenseLayerNames[static_cast<std::size_t>(what)]);
    std::uint64_t at = 0;
    for (BigBytes& part : to) {
      if (part.empty()) continue;
      if (!layer || !piece->read(*layer, at, {part.data() + begin, end - begin}).ok()) return false;
      at += end - begin;
    }
    return true;
  };
  return read(DenseLayer::codes, bytes.codes) && read(DenseLayer::plies, bytes.plies);
}

absl::Status OnePassPieces::save_values(int stones, BoardIndex begin, BoardIndex end, const OnePassBytes& bytes,
                                        const OnePassCounts& counts) const {
  if (checkpoint_ == nullptr) return absl::OkStatus();
  std::vector<Checkpoint::Layer> layers = {counts_layer(counts)};
  const auto add = [&](DenseLayer what, const std::vector<BigBytes>& from) {
    std::vector<Piece> parts;
    for (const BigBytes& part : from) {
      if (!part.empty()) parts.emplace_back(part.data() + begin, end - begin);
    }
    if (!parts.empty()) layers.emplace_back(kDenseLayerNames[static_cast<std::size_t>(what)], std::move(parts));
  };
  add(DenseLayer::codes, bytes.codes);
  add(DenseLayer::plies, bytes.plies);
  return save(tier_name("tier", stones), std::move(layers));
}

std::optional<std::vector<CellSet>> OnePassPieces::load_sets(const OnePassOptions& options, int cells) {
  if (options.checkpoint == nullptr) return std::nullopt;
  const auto piece = options.checkpoint->load(kSets);
  return piece ? read_sets(**piece, cells) : std::nullopt;
}

absl::Status OnePassPieces::save_sets() const {
  if (checkpoint_ == nullptr) return absl::OkStatus();
  const std::vector<std::uint8_t> sets = bytes_of_sets(index_);
  return save(kSets, {{kSets, Piece(sets)}});
}

}  // namespace plenum
