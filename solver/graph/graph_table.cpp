// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/graph_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include <absl/strings/str_cat.h>

#include "solver/support/memory.h"
#include "variants/text/status_macros.h"

namespace plenum {
namespace {

static_assert(std::endian::native == std::endian::little, "tables are little-endian");

// Whether all of its flags are of those that the rules have.
bool is_written(const RuleSet& rules, const Position& p) {
  for (std::size_t k = 0; k < rules.slots.size(); ++k) {
    const StateSlot& slot = rules.slots[k];
    const bool number = slot.type == StateDescription::Type::number;
    if (slot.live && p.state[k] > (number ? slot.range.greatest - slot.range.least : 2)) return false;
  }
  return !rules.passes_live || p.passes <= rules.passes_cap;
}

template <typename Vector>
auto raw_bytes(Vector& v) {
  using Byte = std::conditional_t<std::is_const_v<Vector>, const std::uint8_t, std::uint8_t>;
  return std::span<Byte>(reinterpret_cast<Byte*>(v.data()), v.size() * sizeof(v[0]));
}

}  // namespace

GraphTable::GraphTable(const Variant& variant, std::size_t positions)
    : packing_(variant.rules(), !variant.symmetries().has_exchange()),
      key_bytes_(static_cast<std::size_t>(std::max(1, (packing_.bits() + 7) / 8))),
      group_bytes_((variant.symmetries().size() + 7) / 8),
      keys_(positions * key_bytes_),
      margins_(positions),
      plies_(positions),
      facts_(positions),
      reached_(positions * group_bytes_) {}

void GraphTable::set(std::size_t i, const GraphRecord& record) {
  std::memcpy(keys_.data() + i * key_bytes_, record.key.data(), key_bytes_);
  margins_[i] = record.margin;
  plies_[i] = record.plies;
  facts_[i] = record.facts;
  std::memcpy(reached_.data() + i * group_bytes_, record.reached.data(), group_bytes_);
}

std::array<std::span<const std::uint8_t>, kGraphLayers.size()> GraphTable::layers() const {
  return {raw_bytes(keys_), raw_bytes(margins_), raw_bytes(plies_), raw_bytes(facts_), raw_bytes(reached_)};
}

absl::StatusOr<GraphTable> GraphTable::of(const SolvedGame& game) {
  const std::size_t n = game.graph().size();
  GraphTable out(game.variant(), n);
  std::vector<std::uint8_t> keys(n * out.key_bytes_);  // by number
  for (std::size_t p = 0; p < n; ++p) {
    const Key<kWords> key = out.key_of(game.store().position(static_cast<PositionIndex>(p)));
    std::memcpy(keys.data() + p * out.key_bytes_, key.data(), out.key_bytes_);
  }
  std::vector<PositionIndex> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](PositionIndex a, PositionIndex b) {
    return std::memcmp(keys.data() + a * out.key_bytes_, keys.data() + b * out.key_bytes_, out.key_bytes_) < 0;
  });
  const Solution& solution = game.solution();
  for (std::size_t i = 0; i < n; ++i) {
    const PositionIndex p = order[i];
    std::memcpy(out.keys_.data() + i * out.key_bytes_, keys.data() + p * out.key_bytes_, out.key_bytes_);
    const std::int64_t units = game.graph().margin(solution.value[p]).margin.units;
    if (units != static_cast<std::int32_t>(units))
      return absl::OutOfRangeError("a margin is too large for a table of positions");
    out.margins_[i] = static_cast<std::int32_t>(units);
    out.plies_[i] = solution.remoteness[p].count;
    out.facts_[i] = static_cast<std::uint8_t>(solution.facts[p] | (game.graph().ended(p) ? kEndedBit : 0));
    for (std::size_t g = 0; g < game.variant().symmetries().size(); ++g) {
      if (game.lifts().contains(p, static_cast<GroupElement>(g)))
        out.reached_[i * out.group_bytes_ + g / 8] |= static_cast<std::uint8_t>(1U << (g % 8));
    }
  }
  return out;
}

absl::StatusOr<GraphTable> GraphTable::read(const Variant& variant, const TableReader& table,
                                            std::uint64_t memory_bytes) {
  GraphTable out(variant, 0);
  const auto wrong = [&] {
    return damaged_table(table.path(), "its layers are not those of a game with so many positions");
  };
  const std::optional<std::size_t> facts = table.find_layer("facts");
  if (!facts || table.layers().size() != kGraphLayers.size()) return wrong();
  const std::uint64_t n = table.layers()[*facts].bytes;
  std::uint64_t all = 0;
  for (std::size_t k = 0; k < kGraphLayers.size(); ++k) {
    const TableReader::Layer& layer = table.layers()[k];
    if (layer.name != kGraphLayers[k] || n > std::numeric_limits<PositionIndex>::max() ||
        layer.bytes != n * out.layer_bytes(k))
      return wrong();
    all += layer.bytes;
  }
  if (const std::uint64_t need = base_memory() + all; need > memory_bytes)
    return absl::ResourceExhaustedError(absl::StrCat("memory: reading ", table.path(), " needs ", memory_text(need),
                                                     "; ", memory_text(memory_bytes),
                                                     " may be used\n  give more with --memory"));
  out = GraphTable(variant, n);
  const std::array<std::span<std::uint8_t>, 5> layers = {raw_bytes(out.keys_), raw_bytes(out.margins_),
                                                         raw_bytes(out.plies_), raw_bytes(out.facts_),
                                                         raw_bytes(out.reached_)};
  for (std::size_t k = 0; k < layers.size(); ++k) {
    RETURN_IF_ERROR(table.read(k, 0, layers[k]));
  }
  for (std::size_t i = 1; i < n; ++i) {
    if (std::memcmp(out.key(i - 1), out.key(i), out.key_bytes_) >= 0) return wrong();
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Position p = out.position(i);
    const Key<kWords> again = out.key_of(p);
    if (!is_written(variant.rule_set(), p) || std::memcmp(again.data(), out.key(i), out.key_bytes_) != 0)
      return wrong();
  }
  const std::size_t last_bits = variant.symmetries().size() % 8;  // of the last byte of an entry of `reached`
  for (std::size_t i = 0; i < n && last_bits != 0; ++i) {
    if (out.reached_[(i + 1) * out.group_bytes_ - 1] >> last_bits != 0) return wrong();
  }
  return out;
}

absl::Status GraphTable::write(const LayerSink& sink) const {
  const auto bytes = layers();
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    RETURN_IF_ERROR(sink(kGraphLayers[k], bytes[k]));
  }
  return absl::OkStatus();
}

std::optional<std::size_t> GraphTable::find(const Position& canonical) const {
  const Key<kWords> wanted = key_of(canonical);
  std::size_t begin = 0;
  std::size_t end = size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    const int order = std::memcmp(key(middle), wanted.data(), key_bytes_);
    if (order == 0) return middle;
    (order < 0 ? begin : end) = order < 0 ? middle + 1 : middle;
  }
  return std::nullopt;
}

Position GraphTable::position(std::size_t i) const {
  Key<kWords> packed = {};
  std::memcpy(packed.data(), key(i), key_bytes_);
  return packing_.unpack<kWords>(packed);
}

std::uint64_t GraphTable::bytes() const {
  return keys_.size() + 4 * margins_.size() + 4 * plies_.size() + facts_.size() + reached_.size();
}

}  // namespace plenum
