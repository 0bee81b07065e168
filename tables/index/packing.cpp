// SPDX-License-Identifier: Apache-2.0
#include "tables/index/packing.h"

#include <bit>

namespace plenum {

Packing::Packing(const Rules& rules, bool with_mover)
    : men_(rules.pieces()),
      cells_(rules.board().size()),
      planes_(rules.set().layout.count()),
      slices_(static_cast<int>(std::bit_width(static_cast<unsigned>(planes_)))),
      with_mover_(with_mover) {
  const GameShape& shape = rules.set();
  int men_bits = 0;
  if (men_) {
    slices_ = 0;
    man_bits_ = static_cast<int>(std::bit_width(2 * men_->kinds.size() - 1)) + (men_->crowds() ? 1 : 0);
    if (men_->passed_plane >= 0) passed_bits_ = static_cast<int>(std::bit_width(static_cast<unsigned>(cells_)));
    men_bits = cells_ + men_->most_men * man_bits_ + passed_bits_;
  }
  if (shape.passes_live) pass_bits_ = static_cast<int>(std::bit_width(static_cast<unsigned>(shape.passes_cap)));
  for (std::size_t s = 0; s < shape.slots.size(); ++s) {
    const StateSlot& slot = shape.slots[s];
    if (!slot.live) continue;
    std::uint64_t greatest = 1;
    if (slot.type == StateDescription::Type::player) greatest = 2;
    if (slot.type == StateDescription::Type::number)
      greatest = static_cast<std::uint64_t>(slot.range.greatest - slot.range.least);
    if (greatest > 0) fields_.push_back({s, static_cast<int>(std::bit_width(greatest))});
  }
  bits_ = men_bits + slices_ * cells_ + pass_bits_ + (with_mover ? 1 : 0);
  for (const Field& field : fields_) bits_ += field.bits;
}

std::vector<int> Packing::planes_of(int slice) const {
  std::vector<int> out;
  for (int plane = 0; plane < planes_; ++plane) {
    if ((((plane + 1) >> slice) & 1) != 0) out.push_back(plane);
  }
  return out;
}

std::size_t Packing::words() const {
  const auto needed = static_cast<std::size_t>((bits_ + 63) / 64);
  return needed <= 1 ? 1 : std::bit_ceil(needed);
}

}  // namespace plenum
