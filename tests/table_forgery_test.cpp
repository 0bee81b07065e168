// SPDX-License-Identifier: Apache-2.0
// A forger at work on tables of every kind: with and without mending the checksums. What comes of it is refused when the table is opened,
// or found by what `plenum verify` does, or makes no difference (and these few are listed here); never is there a crash or an exception.
//
// Everything is a matter of fixed seeds. Under sanitizers the same is done to fewer places.
#include <functional>
#include <map>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "tables/file/table_layout.h"
#include "tests/forged_table.h"
#include "tests/sanitized.h"
#include "tools/session/table_text.h"

namespace plenum::table_forgery_test {
namespace {

using tables_testing::Bytes;
using tables_testing::NamedLayer;
using tables_testing::Parts;
using tables_testing::TestFolder;
using tables_testing::Verdict;
using tables_testing::Victim;
using variants_testing::game;
using variants_testing::sure;

constexpr std::size_t kSparse = kSanitized ? 5 : 1;

class Forgery : public testing::TestWithParam<MethodId> {
 protected:
  static Victim make() {
    if (GetParam() == MethodId::rows) return {game("populace", {"board=path:5"}), GetParam()};
    if (GetParam() == MethodId::graph) return {game("populace", {"board=cycle:4", "button=on"}), GetParam()};
    if (GetParam() == MethodId::ending) return {game("chess", {"board=square:3x4", "material=KRvK"}), GetParam()};
    return {game("taifas", {"board=square:2x3"}), GetParam()};
  }
  Victim victim_ = make();
};

INSTANTIATE_TEST_SUITE_P(OfEveryKind, Forgery,
                         testing::Values(MethodId::graph, MethodId::rows, MethodId::one_pass, MethodId::bits,
                                         MethodId::ending),
                         [](const testing::TestParamInfo<MethodId>& tested) {
                           std::string name(method_of(tested.param).name());
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(Forgery, AnyFlippedBitIsRefused) {
  std::mt19937_64 random(1);
  for (std::size_t at = 0; at < victim_.bytes().size(); at += kSparse) {
    Bytes bytes = victim_.bytes();
    bytes[at] ^= static_cast<std::uint8_t>(random() % 2 == 0 ? 255 : 1U << random() % 8);
    ASSERT_EQ(victim_.examine(bytes), Verdict::refused) << at;
  }
}

TEST_P(Forgery, AnyTruncationIsRefused) {
  const Bytes& sound = victim_.bytes();
  for (std::size_t length = 0; length < sound.size(); length += 3 * kSparse) {
    ASSERT_EQ(victim_.examine(Bytes(sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(length))),
              Verdict::refused)
        << length;
  }
  Bytes longer = sound;
  for (int k = 0; k < 70; ++k) {
    longer.push_back(k % 2 == 0 ? 0 : sound[static_cast<std::size_t>(k)]);
    ASSERT_EQ(victim_.examine(longer), Verdict::refused);
  }
}

// Two stretches of the file exchanged, blocks among them.
TEST_P(Forgery, SwappedPiecesAreRefused) {
  const Bytes& sound = victim_.bytes();
  std::mt19937_64 random(2);
  for (std::size_t k = 0; k < 400 / kSparse; ++k) {
    const std::size_t length = 1 + random() % 64;
    const std::size_t a = random() % (sound.size() - 2 * length);
    const std::size_t b = a + length + random() % (sound.size() - a - 2 * length + 1);
    Bytes bytes = sound;
    std::swap_ranges(bytes.begin() + static_cast<std::ptrdiff_t>(a),
                     bytes.begin() + static_cast<std::ptrdiff_t>(a + length),
                     bytes.begin() + static_cast<std::ptrdiff_t>(b));
    if (bytes == sound) continue;
    ASSERT_EQ(victim_.examine(bytes), Verdict::refused) << a << " " << b;
  }
}

// Values that a forger may put in the place of another.
std::vector<Json> others(const Json& value) {
  Json deep = 1;
  for (int k = 0; k < 100; ++k) deep = Json::array({std::move(deep)});
  std::vector<Json> out = {nullptr,
                           true,
                           5,
                           -1,
                           1e300,
                           0.5,
                           ~std::uint64_t{0},
                           "",
                           "x",
                           std::string(5000, 'x'),
                           "\n\x1b[31m",
                           Json::array(),
                           Json::object(),
                           Json::array({1, "x"}),
                           Json({{"a", "b"}}),
                           deep};
  if (value.is_string()) {
    std::string text = value.get<std::string>();
    out.emplace_back(text + " ");
    if (!text.empty()) {
      text[text.size() / 2] = text[text.size() / 2] == 'a' ? 'b' : 'a';
      out.emplace_back(text);
      text.pop_back();
      out.emplace_back(text);
    }
    out.emplace_back(1);
  }
  if (value.is_number_integer()) {
    out.emplace_back(value.get<std::int64_t>() + 1);
    out.emplace_back(value.get<std::int64_t>() - 1);
    out.emplace_back(-value.get<std::int64_t>());
    out.emplace_back(std::to_string(value.get<std::int64_t>()));
    out.emplace_back(value.get<double>());  // 3.0 for 3
  }
  if (value.is_array() && !value.empty()) {
    Json fewer = value;
    fewer.erase(0);
    out.push_back(fewer);
    Json more = value;
    more.push_back(value[0]);
    out.push_back(more);
  }
  if (value.is_object()) {
    Json more = value;
    more["and"] = 1;
    out.push_back(more);
    Json turned = Json::object();  // its keys in another order
    for (auto it = value.rbegin(); it != value.rend(); ++it) turned[it.key()] = it.value();
    out.push_back(turned);
  }
  std::erase_if(out, [&](const Json& other) { return other.dump() == value.dump(); });
  return out;
}

// All places of a JSON text, the whole first.
std::vector<Json::json_pointer> places_of(const Json& json, const Json::json_pointer& from = Json::json_pointer()) {
  std::vector<Json::json_pointer> out = {from};
  const auto go_on = [&](const Json::json_pointer& next, const Json& value) {
    for (const Json::json_pointer& place : places_of(value, next)) out.push_back(place);
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) go_on(from / key, value);
  } else if (json.is_array()) {
    for (std::size_t i = 0; i < json.size(); ++i) go_on(from / i, json[i]);
  }
  return out;
}

// Calls with every text that differs in one place, and says which it is.
void forge(const std::string& text, const std::function<void(const std::string& text, const std::string& what)>& with) {
  const Json right = Json::parse(text);
  for (const Json::json_pointer& place : places_of(right)) {
    for (const Json& other : others(right[place])) {
      Json forged = right;
      forged[place] = other;
      with(forged.dump(), place.to_string() + " as " + other.dump().substr(0, 60));
    }
    if (place.empty() || !right[place.parent_pointer()].is_object()) continue;
    Json forged = right;
    forged[place.parent_pointer()].erase(place.back());
    with(forged.dump(), place.to_string() + " removed");
  }
  for (const std::size_t depth : {40UL, 200'000UL}) {
    with(std::string(depth, '['), "nested deep");
    with("{\"version\":4,\"summary\":" + std::string(depth, '[') + std::string(depth, ']') + "}",
         "nested deep and whole");
  }
  std::string many = "[0";
  for (int k = 0; k < 1'500'000; ++k) many += ",0";
  with("{\"version\":4,\"summary\":" + many + "]}", "very many values");
  for (const std::string wrong :
       {"", "{", "null", "[]", "x", "{\"version\":4", "{\"version\":1e999}", "{\"a\":\"\xff\"}"})
    with(wrong, wrong);
  with(text + " x", "more behind it");
}

// What a header may say without any difference: which program wrote the table; prose of its description. All else is refused on opening,
// by solve and by verify.
TEST_P(Forgery, AnyOtherHeaderIsRefused) {
  std::size_t n = 0;
  const auto harmless = [](const std::string& what) {
    return what.rfind("/program as \"", 0) == 0 || what.rfind("/description as \"", 0) == 0;
  };
  forge(victim_.sound().header, [&](const std::string& header, const std::string& what) {
    if (n++ % kSparse != 0) return;
    Parts parts = victim_.sound();
    parts.header = header;
    const Verdict verdict = victim_.examine(parts, true);
    if (verdict == Verdict::refused) return;
    EXPECT_TRUE(harmless(what)) << what;
    // Then it was the same game all the same.
    const OpenTable table = sure(open_table(victim_.path()));
    EXPECT_EQ(sure(variant_of(table)).identity().hash, victim_.variant().identity().hash);
  });
  EXPECT_GT(n, 200U);
}

// The message says which key it is.
TEST_P(Forgery, WhatIsWrongIsNamed) {
  for (const char* key :
       {"variant", "board", "hash", "boards", "states", "method", "settings", "description", "game"}) {
    Json header = Json::parse(victim_.sound().header);
    if (!header.contains(key)) continue;
    Json& value = header[key];
    if (value.is_number()) {
      value = value.get<std::uint64_t>() + 1;
    } else if (value.is_object()) {
      value.erase(value.begin());
      if (value.empty()) value["pie"] = "off";
    } else if (std::string(key) == "method") {
      value = value == "bits" ? "rows" : "bits";
    } else if (std::string(key) == "description") {
      value = sure(load_description("tic-tac-toe", PLENUM_DATA_FOLDER)).document;
    } else {
      value = value.get<std::string>() + "x";
    }
    Parts parts = victim_.sound();
    parts.header = header.dump();
    EXPECT_EQ(victim_.examine(parts, true), Verdict::refused) << key;
    const std::string message(victim_.why().message());
    EXPECT_EQ(exit_code(victim_.why()), kDamaged) << message;
    const bool named = message.find(std::string("'") + key + "'") != std::string::npos ||
                       message.find("the description in it") != std::string::npos ||
                       std::string(key) == "method";  // what is missing then is named
    EXPECT_TRUE(named) << key << ": " << message;
    EXPECT_NE(message.find("Remove this file and solve again"), std::string::npos) << message;
  }
}

TEST_P(Forgery, AnyOtherFooterIsRefusedOrFound) {
  std::size_t n = 0;
  std::map<Verdict, int> verdicts;
  forge(victim_.sound().footer, [&](const std::string& footer, const std::string& what) {
    if (n++ % kSparse != 0) return;
    Parts parts = victim_.sound();
    parts.footer = footer;
    const Verdict verdict = victim_.examine(parts, true);
    ++verdicts[verdict];
    EXPECT_NE(verdict, Verdict::unnoticed) << what;
  });
  const std::size_t found = GetParam() == MethodId::ending ? 0 : GetParam() == MethodId::graph ? 150 : 200;
  EXPECT_GT(verdicts[Verdict::refused], 10);
  EXPECT_GE(static_cast<std::size_t>(verdicts[Verdict::found]), found / kSparse);
}

// Every byte of every layer, as far as there is time for that.
TEST_P(Forgery, AnyOtherByteIsRefusedOrFound) {
  constexpr std::size_t kTries = 400 / kSparse;
  std::mt19937_64 random(3);
  for (std::size_t layer = 0; layer < victim_.sound().layers.size(); ++layer) {
    const std::size_t size = victim_.sound().layers[layer].bytes.size();
    const std::size_t step = std::max<std::size_t>(1, size * victim_.sound().layers.size() / kTries);
    for (std::size_t at = random() % step; at < size; at += step) {
      Parts parts = victim_.sound();
      std::uint8_t& byte = parts.layers[layer].bytes[at];
      const std::uint8_t before = byte;
      while (byte == before) byte = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : 120 + random() % 16);
      EXPECT_NE(victim_.examine(parts), Verdict::unnoticed)
          << parts.layers[layer].name << " " << at << ": " << int{byte} << ", not " << int{before};
    }
  }
}

TEST_P(Forgery, OtherLayersAreRefusedOrFound) {
  const std::size_t layers = victim_.sound().layers.size();
  const auto expect = [&](const Parts& parts, const std::string& what) {
    EXPECT_NE(victim_.examine(parts), Verdict::unnoticed) << what;
  };
  std::mt19937_64 random(4);
  for (std::size_t a = 0; a < layers; ++a) {
    const NamedLayer& layer = victim_.sound().layers[a];
    for (std::size_t b = 0; b < layers; ++b) {
      Parts parts = victim_.sound();
      if (a < b) {
        std::swap(parts.layers[a].bytes, parts.layers[b].bytes);
        expect(parts, "bytes swapped");
        std::swap(parts.layers[a], parts.layers[b]);  // and their places: the names go with other bytes
        expect(parts, "layers swapped");
      }
      parts = victim_.sound();
      parts.layers[b].bytes = layer.bytes;
      if (layer.bytes != victim_.sound().layers[b].bytes) expect(parts, layer.name + " twice");
    }
    for (const std::string& name : {std::string("x"), std::string(255, 'y'), layer.name + "?"}) {
      Parts parts = victim_.sound();
      parts.layers[a].name = name;
      expect(parts, layer.name + " as " + name);
    }
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, layer.bytes.size() - 1, layer.bytes.size() + 1}) {
      Parts parts = victim_.sound();
      parts.layers[a].bytes.resize(size);
      expect(parts, layer.name + " of another size");
    }
    Parts parts = victim_.sound();
    parts.layers.erase(parts.layers.begin() + static_cast<std::ptrdiff_t>(a));
    expect(parts, "without " + layer.name);
    for (int k = 0; k < 3; ++k) {
      parts = victim_.sound();
      for (std::uint8_t& byte : parts.layers[a].bytes) byte = static_cast<std::uint8_t>(random());
      expect(parts, "noise for " + layer.name);
    }
  }
  Parts parts = victim_.sound();
  parts.layers.push_back({"more", Bytes(3)});
  expect(parts, "a layer more");
}

// An entry left out of every layer, and of the count: positions before it lead to nothing then.
TEST(ForgeryOfGraphs, AnEntryLeftOutIsFound) {
  Victim victim(game("populace", {"board=cycle:4", "button=on"}), MethodId::graph);
  Json header = Json::parse(victim.sound().header);
  const auto entries = header["boards"].get<std::size_t>();
  header["boards"] = entries - 1;
  Json footer = Json::parse(victim.sound().footer);
  footer["summary"]["stored"] = entries - 1;
  for (std::size_t left_out = 0; left_out < entries; left_out += kSparse) {
    Parts parts = victim.sound();
    parts.header = header.dump();
    parts.footer = footer.dump();
    for (NamedLayer& layer : parts.layers) {
      const auto size = static_cast<std::ptrdiff_t>(layer.bytes.size() / entries);
      const auto begin = layer.bytes.begin() + static_cast<std::ptrdiff_t>(left_out) * size;
      layer.bytes.erase(begin, begin + size);
    }
    EXPECT_EQ(victim.examine(parts), Verdict::found) << left_out << " " << victim.why();
  }
}

// All of another game's table, with the bytes of this one.
TEST(ForgeryOfGames, AnotherGamesHeaderAndFooter) {
  Victim one(game("populace", {"board=path:5"}), MethodId::rows);
  Victim other(game("populace", {"board=path:5", "threat=1"}), MethodId::rows);
  Parts parts = other.sound();
  parts.layers = one.sound().layers;
  EXPECT_EQ(other.examine(parts), Verdict::found);
  parts = other.sound();
  parts.header = one.sound().header;  // a footer of another game than the header's
  EXPECT_EQ(one.examine(parts), Verdict::refused);
  // A whole table of another game is nobody's forgery, but not this game's either.
  const absl::Status status = open_table_of(other.path(), one.variant()).status();
  EXPECT_NE(exit_code(status), kDone) << status;
}

// Two versions of the format, and of what a table says: before and after this one.
TEST(ForgeryOfVersions, AreALimitAndNotDamage) {
  Victim victim(game("populace", {"board=path:5"}), MethodId::rows);
  for (const int version : {0, 2, 4, 1'000'000}) {
    Bytes bytes = victim.bytes();
    TablePrologue prologue;
    std::memcpy(&prologue, bytes.data(), sizeof prologue);
    prologue.version = static_cast<std::uint32_t>(version);
    prologue.checksum = own_checksum(prologue);
    std::memcpy(bytes.data(), &prologue, sizeof prologue);
    EXPECT_EQ(victim.examine(bytes), Verdict::refused);
    EXPECT_EQ(exit_code(victim.why()), kLimit) << victim.why();
    EXPECT_NE(victim.why().message().find("rm " + victim.path()), absl::string_view::npos) << victim.why();
  }
  constexpr auto kTable = static_cast<std::uint64_t>(kTableVersion);
  for (const std::uint64_t version : {std::uint64_t{0}, kTable - 1, kTable + 1, ~std::uint64_t{0}}) {
    for (const bool bare : {false, true}) {
      Parts parts = victim.sound();
      Json header = bare ? Json::object() : Json::parse(parts.header);
      header["version"] = version;
      parts.header = header.dump();
      parts.footer = bare ? "x" : parts.footer;
      EXPECT_EQ(victim.examine(parts), Verdict::refused);
      EXPECT_EQ(exit_code(victim.why()), kLimit) << victim.why();
      const std::string message(victim.why().message());
      EXPECT_NE(message.find("rm " + victim.path()), std::string::npos) << message;
      EXPECT_EQ(
          message.find(" solve populace --board path:5 --method rows --table " + victim.path()) == std::string::npos,
          bare)
          << message;
    }
  }
}

}  // namespace
}  // namespace plenum::table_forgery_test
