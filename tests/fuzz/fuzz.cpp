// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include <absl/strings/str_cat.h>
#include <unistd.h>

#include "variants/text/printable.h"

namespace plenum::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int kMostCells = 16;      // of a description's own board, to be compiled on it
constexpr std::size_t kFound = 6;   // moves that are looked up by their texts
constexpr std::size_t kImages = 4;  // symmetries that are tried
constexpr int kPlies = 6;

// Everything of a position, to be sorted by.
auto key(const Position& p) { return std::tie(p.planes, p.state, p.passes, p.mover); }

struct Reply {
  Position position;
  bool ended = false;
  std::int64_t margin = 0;
  friend bool operator==(const Reply&, const Reply&) = default;
};

std::vector<Reply> replies(const std::vector<Successor>& moves, const SymmetryGroup& symmetries, GroupElement by) {
  std::vector<Reply> out;
  for (const Successor& s : moves) out.push_back({symmetries.apply(by, s.position), s.ended, s.margin.margin.units});
  std::sort(out.begin(), out.end(), [](const Reply& a, const Reply& b) { return key(a.position) < key(b.position); });
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

class OwnFolder {
 public:
  OwnFolder() {
    std::error_code error;
    const bool in_memory = access("/dev/shm", W_OK) == 0;
    const std::string unnamed(6, 'X');  // mkdtemp names it
    path_ = (in_memory ? std::string("/dev/shm") : fs::temp_directory_path(error).string()) + "/plenum-fuzz-" + unnamed;
    if (mkdtemp(path_.data()) == nullptr) fail("cannot make a folder " + path_);
  }
  ~OwnFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::uint8_t Input::byte() {
  if (left_.empty()) return 0;
  const auto out = static_cast<std::uint8_t>(left_.front());
  left_.remove_prefix(1);
  return out;
}

std::string Input::line() {
  const std::size_t end = std::min(left_.find('\n'), left_.size());
  std::string out(left_.substr(0, end));
  left_.remove_prefix(std::min(end + 1, left_.size()));
  return out;
}

std::string Input::take(std::size_t n) {
  std::string out(left_.substr(0, n));
  left_.remove_prefix(out.size());
  return out;
}

std::string Input::rest() { return take(left_.size()); }

void fail(const std::string& what) {
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

int for_people(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kResourceExhausted:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kNotFound:
      break;
    default:
      fail(absl::StrCat("no error that a person can cause: ", status.ToString()));
  }
  require(!status.message().empty(), "an error without a word");
  const std::string message(status.message());
  require(printable_lines(message) == message, "an error that is not fit for a terminal: " + printable_lines(message));
  return 0;
}

std::string quoted_toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      absl::StrAppend(&out, "\\u00", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

absl::StatusOr<Description> described(const std::string& text) {
  absl::StatusOr<Description> out = parse_description({"fuzz.toml", text, true}, "/nonexistent");
  constexpr std::string_view kSet = "#set ";
  for (std::size_t at = text.find(kSet); out.ok() && at != std::string::npos; at = text.find(kSet, at + 1)) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string assignment = text.substr(at + kSet.size(), end - at - kSet.size());
    if (const absl::Status set = out->set_option(Span::whole("--set", assignment)); !set.ok()) return set;
  }
  return out;
}

Variant game(const std::string& name, const std::vector<std::string>& settings) {
  Description description = sure(load_description(name, PLENUM_DATA_FOLDER), name);
  for (const std::string& setting : settings) {
    const absl::Status set = description.set_option(Span::whole("--set", setting));
    require(set.ok(), std::string(set.message()));
  }
  return sure(Variant::make(description), name);
}

void check_description(Description description, Input& choices) {
  Description again = sure(parse_description({"again.toml", description.document, true}, "/nonexistent"),
                           "the document is not read again");
  require(again.document == description.document, "the document is read as another one");
  require(again.name == description.name, "the document has another name");
  static_cast<void>(unread(description));
  // With the same settings it is the same game: so a table is read again.
  for (const Option& option : description.options) {
    if (to_text(option.value) == to_text(option.initial)) continue;
    const std::string assignment = absl::StrCat(option.name, "=", to_text(option.value));
    const absl::Status set = again.set_option(Span::whole("--set", assignment));
    require(set.ok(), assignment + " is not taken again");
  }
  if (const absl::StatusOr<GameIdentity> own = identify(description); own.ok())
    require(sure(identify(again), "the document names no game") == *own, "the document is read as another game");

  const absl::StatusOr<Board> board = description.board();
  if (!board.ok()) {
    for_people(board.status());
    return;
  }
  if (board->size() > kMostCells) {
    const absl::Status set = description.set_option(Span::whole("--board", "board=square:3x3"));
    if (!set.ok()) {
      for_people(set);
      return;
    }
    description.use_board(Span::whole("--board", "square:3x3"));
  }
  const absl::StatusOr<Variant> variant = Variant::make(description);
  if (!variant.ok()) {
    for_people(variant.status());
    return;
  }
  require(sure(identify(description), "no identity") == variant->identity(), "two identities");
  check_play(*variant, variant->rules().start(), choices);
}

void check_play(const Variant& variant, Position position, Input& choices) {
  for (int ply = 0; ply < kPlies; ++ply) {
    const std::vector<Successor> moves = check_position(variant, position);
    if (moves.empty()) return;
    const Successor& next = moves[(choices.byte() + std::size_t{7} * static_cast<std::size_t>(ply)) % moves.size()];
    position = next.position;
  }
}

std::vector<Successor> check_position(const Variant& variant, const Position& position) {
  const Rules& rules = variant.rules();
  const std::string text = rules.write(position);
  const Position read = sure(rules.read(Span::whole("position", text)), text + " is not read");
  require(read == position, text + " is read as " + rules.write(read));

  const absl::StatusOr<EndState> end = end_state(rules, position);
  if (!end.ok()) {
    for_people(end.status());
    return {};
  }
  if (end->ended) return {};
  const std::vector<Successor> moves = sure(successors(rules, position), "no moves of " + text);
  require(!moves.empty(), text + " has no moves and has not ended");
  const std::uint32_t tier = variant.tiers().tier(position);
  require(tier < variant.tiers().count(), text + " has no tier");
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Successor& s = moves[i];
    require(s.position.mover != position.mover, s.text + " keeps the turn in " + text);
    require(variant.tiers().tier(s.position) >= tier, s.text + " leads to a lower tier in " + text);
    if (i % (1 + moves.size() / kFound) != 0) continue;
    const Successor found = sure(find_move(rules, position, Span::whole("move", s.text)), s.text + " in " + text);
    require(found.text == s.text, s.text + " is read as " + found.text + " in " + text);
    require(found.position == s.position, s.text + " leads to two positions from " + text);
  }

  const SymmetryGroup& symmetries = variant.symmetries();
  const Position least = symmetries.canonical(position).position;
  for (std::size_t g = 1; g < symmetries.size(); g += 1 + symmetries.size() / kImages) {
    const auto element = static_cast<GroupElement>(g);
    const Position image = symmetries.apply(element, position);
    require(symmetries.canonical(image).position == least, "another canonical position of an image of " + text);
    const std::vector<Successor> theirs =
        sure(successors(rules, image), "no moves of the image " + rules.write(image) + " of " + text);
    require(replies(theirs, symmetries, kIdentity) == replies(moves, symmetries, element),
            "the image " + rules.write(image) + " has other moves than " + text);
  }
  return moves;
}

const std::string& own_folder() {
  static const OwnFolder folder;
  return folder.path();
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  require(out.flush().good(), "cannot write " + path);
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace plenum::fuzz
