// SPDX-License-Identifier: Apache-2.0
#include "solver/one_pass/one_pass_kept.h"

#include <algorithm>

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

namespace plenum {
namespace {

constexpr const char* kKeptCounts = "counts";
constexpr const char* kReached = "reached";
constexpr const char* kAhead = "ahead";  // reached so far with more stones
constexpr const char* kSets = "sets";

std::string tier_name(const char* pass, int stones) { return absl::StrFormat("%s-%03d", pass, stones); }

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
    : checkpoint_(options.checkpoint),
      index_(index),
      ranks_(*options.ranks),
      boards_(board_stripes(index, ranks_.rank(), ranks_.size())) {
  std::uint64_t sets = 0xCBF29CE484222325U;  // FNV-1a, of words
  for (const Block& block : index.blocks()) sets = (sets ^ block.set) * 0x100000001B3U;
  identity_ = absl::StrCat("sets ", index.blocks().size(), " ", absl::Hex(sets), " remoteness=", options.remoteness,
                           " counts=", options.counts, " whole_board=", options.whole_board);
}

std::string OnePassPieces::header(const std::string& name) const { return absl::StrCat(name, " ", identity_); }

std::shared_ptr<TableReader> OnePassPieces::load(const std::string& name, OnePassCounts& counts) const {
  if (checkpoint_ == nullptr) return nullptr;
  const auto piece = load_ranked(*checkpoint_, name, ranks_);
  const bool is_own = piece && (*piece)->header() == header(name) &&
                      Checkpoint::read(**piece, kKeptCounts, counter_bytes(std::span(&counts, 1)));
  return ranks_.any(!is_own) ? nullptr : *piece;
}

// What all ranks have alike the root gives.
absl::Status OnePassPieces::save(const std::string& name, const OnePassCounts& counts,
                                 std::vector<RankedLayer> layers) const {
  const auto bytes = counter_bytes(std::span(&counts, 1));
  RankedLayer first{kKeptCounts, bytes.size(), {}};
  if (ranks_.root()) first.own.push_back({0, bytes});
  layers.insert(layers.begin(), std::move(first));
  return save_ranked(*checkpoint_, name, header(name), layers, ranks_);
}

// A layer of as many bytes for each layer of the index, of which own ones are added to what is there from a place on.
bool OnePassPieces::or_own(const TableReader& piece, const char* name, std::uint64_t from, OnePassBytes& bytes) const {
  std::vector<BigBytes>& to = bytes.reached;
  const auto layer = piece.find_layer(name);
  if (!layer || piece.layers()[*layer].bytes % to.size() != 0) return false;
  const std::uint64_t each = piece.layers()[*layer].bytes / to.size();
  if (from + each > to[0].size()) return false;
  bool sound = true;
  std::vector<std::uint8_t> bits;
  for (std::size_t k = 0; k < to.size(); ++k) {
    boards_.scaled(bytes.bits, 8).for_own(from, from + each, [&](std::uint64_t begin, std::uint64_t end) {
      bits.resize(end - begin);
      sound = sound && piece.read(*layer, k * each + begin - from, bits).ok();
      for (std::uint64_t i = 0; i < bits.size() && sound; ++i) to[k][begin + i] |= bits[i];
    });
  }
  return sound;
}

bool OnePassPieces::load_reached(int stones, BoardIndex begin, BoardIndex end, OnePassBytes& bytes,
                                 OnePassCounts& counts) const {
  const auto piece = load(tier_name("reach", stones), counts);
  return piece != nullptr && !ranks_.any(!or_own(*piece, kReached, begin * bytes.bits / 8, bytes) ||
                                         !or_own(*piece, kAhead, end * bytes.bits / 8, bytes));
}

absl::Status OnePassPieces::save_reached(int stones, BoardIndex begin, BoardIndex end, const OnePassBytes& bytes,
                                         const OnePassCounts& counts) const {
  if (checkpoint_ == nullptr) return absl::OkStatus();
  // The first and the last byte may hold some of their neighbours.
  const std::uint64_t from = begin * bytes.bits / 8;
  const std::uint64_t to = (end * bytes.bits + 7) / 8;
  const std::uint64_t ahead = end * bytes.bits / 8;
  const Stripes stripes = boards_.scaled(bytes.bits, 8);
  std::uint64_t last = ahead;
  for (const BigBytes& layer : bytes.reached) {
    stripes.for_own(ahead, layer.size(), [&](std::uint64_t a, std::uint64_t b) {
      while (b > a && b > last && layer[b - 1] == 0) --b;
      if (b > a) last = std::max(last, b);
    });
  }
  for (const std::uint64_t one : ranks_.gather(last)) last = std::max(last, one);
  const auto parts = [&](const char* name, std::uint64_t a, std::uint64_t b) {
    RankedLayer out{name, (b - a) * bytes.reached.size(), {}};
    for (std::size_t k = 0; k < bytes.reached.size(); ++k)
      add_own(stripes, bytes.reached[k], a, b, k * (b - a), out.own);
    return out;
  };
  return save(tier_name("reach", stones), counts, {parts(kReached, from, to), parts(kAhead, ahead, last)});
}

bool OnePassPieces::load_values(int stones, BoardIndex begin, BoardIndex end, OnePassBytes& bytes,
                                OnePassCounts& counts) const {
  const auto piece = load(tier_name("tier", stones), counts);
  if (piece == nullptr) return false;
  const auto read = [&](DenseLayer what, std::vector<BigBytes>& to) {
    const auto layer = piece->find_layer(kDenseLayerNames[static_cast<std::size_t>(what)]);
    std::uint64_t at = 0;
    bool sound = true;
    for (BigBytes& part : to) {
      if (part.empty()) continue;
      boards_.for_own(begin, end, [&](BoardIndex from, BoardIndex until) {
        sound = sound && layer && piece->read(*layer, at + from - begin, {part.data() + from, until - from}).ok();
      });
      at += end - begin;
    }
    return sound;
  };
  return !ranks_.any(!read(DenseLayer::codes, bytes.codes) || !read(DenseLayer::plies, bytes.plies));
}

absl::Status OnePassPieces::save_values(int stones, BoardIndex begin, BoardIndex end, const OnePassBytes& bytes,
                                        const OnePassCounts& counts) const {
  if (checkpoint_ == nullptr) return absl::OkStatus();
  std::vector<RankedLayer> layers;
  const auto add = [&](DenseLayer what, const std::vector<BigBytes>& from) {
    RankedLayer layer{kDenseLayerNames[static_cast<std::size_t>(what)], 0, {}};
    for (const BigBytes& part : from) {
      if (part.empty()) continue;
      add_own(boards_, part, begin, end, layer.bytes, layer.own);
      layer.bytes += end - begin;
    }
    if (layer.bytes != 0) layers.push_back(std::move(layer));
  };
  add(DenseLayer::codes, bytes.codes);
  add(DenseLayer::plies, bytes.plies);
  return save(tier_name("tier", stones), counts, std::move(layers));
}

std::optional<std::vector<CellSet>> OnePassPieces::load_sets(const OnePassOptions& options, int cells) {
  if (options.checkpoint == nullptr) return std::nullopt;
  const auto piece = load_ranked(*options.checkpoint, kSets, *options.ranks);
  const auto sets = piece ? read_sets(**piece, cells) : std::nullopt;
  return options.ranks->any(!sets.has_value()) ? std::nullopt : sets;
}

absl::Status OnePassPieces::save_sets() const {
  if (checkpoint_ == nullptr) return absl::OkStatus();
  const std::vector<std::uint8_t> sets = bytes_of_sets(index_);
  RankedLayer layer{kSets, sets.size(), {}};
  if (ranks_.root()) layer.own.push_back({0, sets});
  return save_ranked(*checkpoint_, kSets, header(kSets), {&layer, 1}, ranks_);
}

}  // namespace plenum
