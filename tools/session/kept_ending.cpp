// SPDX-License-Identifier: Apache-2.0
#include "tools/session/kept_ending.h"

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

EndingOptions keeping(Run& run, const Variant& variant) {
  EndingOptions options;
  options.find = [&](const std::string& material, std::uint64_t positions) -> std::optional<EndingLayers> {
    const std::optional<Place> place = place_of(variant, material);
    if (!place) return std::nullopt;
    absl::StatusOr<std::optional<EndingLayers>> found =
        read_ending(place->path, variant.board().name(), place->identity, positions);
    if (found.ok()) return *std::move(found);
    run.note(absl::StrCat(material, " is solved again, since ", first_line(found.status())));
    return std::nullopt;
  };
  options.keep = [&, keeps = true](const std::string& material, const EndingLayers& layers) mutable {
    const std::optional<Place> place = place_of(variant, material);
    if (!place || !keeps) return;
    make_table_folder();
    const absl::Status written =
        write_ending(place->path, place->description, variant.board().name(), place->identity, layers);
    if (written.ok()) return;
    run.note(absl::StrCat("no table is kept: ", std::string(written.message())));
    keeps = false;
  };
  return options;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const EndingTables>> solve_ending_kept(Run& run, const Variant& variant,
                                                                      bool no_tables) {
  return run.solve_ending(variant, no_tables ? EndingOptions() : keeping(run, variant));
}

absl::StatusOr<std::shared_ptr<const EndingTables>> open_ending(Run& run, const Variant& variant,
                                                                const std::string& file) {
  const absl::StatusOr<Material> asked = material_of(variant);
  if (!asked.ok()) return asked.status();
  const PieceSet& set = *variant.rule_set().pieces;
  const std::array<std::string, 2> names = {to_text(set, *asked), to_text(set, asked->exchanged())};
  EndingOptions options = keeping(run, variant);
  const auto in_cache = options.find;
  absl::Status read;
  options.find = [&](const std::string& material, std::uint64_t positions) -> std::optional<EndingLayers> {
    if (material != names[0] && material != names[1]) return in_cache(material, positions);
    absl::StatusOr<std::optional<EndingLayers>> found =
        read_ending(file, variant.board().name(), variant.identity(), positions);
    if (found.ok()) return *std::move(found);
    read = found.status();
    return std::nullopt;
  };
  absl::StatusOr<std::shared_ptr<const EndingTables>> out = run.solve_ending(variant, std::move(options));
  return read.ok() ? out : read;
}

}  // namespace plenum
