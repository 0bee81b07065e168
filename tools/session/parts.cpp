// SPDX-License-Identifier: Apache-2.0
#include "tools/session/parts.h"

#include <absl/strings/str_cat.h>

#include "tools/session/tables.h"

namespace plenum {
namespace {

// The description of one material alone: its option of that name, if the material is just an option's value. Without that the
// tables could not be shared.
std::optional<Description> of_material(const Description& description, const std::string& material) {
  const ExpressionPtr& e = description.play.material;
  if (e == nullptr || description.find_option(e->word) == nullptr) return std::nullopt;
  Description out = description;
  if (!out.set_option(Span::whole("material", absl::StrCat(e->word, "=", material))).ok()) return std::nullopt;
  return out;
}

struct Place {
  Description description;
  GameIdentity identity;
  std::string path;
};

std::optional<Place> place_of(const Variant& variant, const std::string& material) {
  std::optional<Description> description = of_material(variant.description(), material);
  if (!description) return std::nullopt;
  absl::StatusOr<GameIdentity> identity = identify(*description);
  if (!identity.ok()) return std::nullopt;
  std::string path = stored_table(identity->hash);
  if (path.empty()) return std::nullopt;
  return Place{*std::move(description), *std::move(identity), std::move(path)};
}

}  // namespace

PartStore part_store(Run& run, const Variant& variant, const Method& method) {
  PartStore out;
  out.find = [&run, &variant](const std::string& material, std::uint64_t positions) -> std::optional<EndingLayers> {
    const std::optional<Place> place = place_of(variant, material);
    if (!place) return std::nullopt;
    absl::StatusOr<std::optional<EndingLayers>> found =
        read_part(place->path, variant.board().name(), place->identity, positions);
    if (found.ok()) return *std::move(found);
    run.note(absl::StrCat(material, " is solved again, since ", first_line(found.status())));
    return std::nullopt;
  };
  out.keep = [&run, &variant, &method, keeps = true](const std::string& material, const EndingLayers& layers) mutable {
    const std::optional<Place> place = place_of(variant, material);
    if (!place || !keeps) return;
    make_table_folder();
    const absl::Status written =
        write_part(place->path, place->description, variant.board().name(), place->identity, method, layers);
    if (written.ok()) return;
    run.note(absl::StrCat("no table is kept: ", std::string(written.message())));
    keeps = false;
  };
  return out;
}

}  // namespace plenum
