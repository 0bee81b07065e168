// SPDX-License-Identifier: Apache-2.0
#include "variants/language/betza.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "variants/text/printable.h"

namespace plenum {
namespace {

constexpr std::size_t kMostLetters = 200;
constexpr int kMostSteps = 99;
constexpr std::string_view kOthers = "mcinjp";  // modifiers that are no directions
constexpr std::string_view kDirections = "fblrsvh";
constexpr std::string_view kAtomLetters = "W F D N A H C L Z G K Q R B";

// A step by its shorter and its longer side, whatever the direction.
struct Leap {
  int near = 0;
  int far = 0;
  bool orthogonal() const { return near == 0; }
  bool diagonal() const { return near == far; }
};

struct Atom {
  char letter;
  std::array<Leap, 2> leaps;
  std::size_t parts = 1;  // how many leaps
  bool rides = false;
};

constexpr std::array<Atom, 14> kAtoms = {{
    {'W', {{{0, 1}, {}}}},
    {'F', {{{1, 1}, {}}}},
    {'D', {{{0, 2}, {}}}},
    {'N', {{{1, 2}, {}}}},
    {'A', {{{2, 2}, {}}}},
    {'H', {{{0, 3}, {}}}},
    {'C', {{{1, 3}, {}}}},
    {'L', {{{1, 3}, {}}}},
    {'Z', {{{2, 3}, {}}}},
    {'G', {{{3, 3}, {}}}},
    {'K', {{{0, 1}, {1, 1}}}, 2},
    {'Q', {{{0, 1}, {1, 1}}}, 2, true},
    {'R', {{{0, 1}, {}}}, 1, true},
    {'B', {{{1, 1}, {}}}, 1, true},
}};

// What may be joined on diagonal and on oblique atoms.
constexpr std::array<std::string_view, 8> kDiagonalGroups = {"fl", "fr", "bl", "br", "lf", "rf", "lb", "rb"};
constexpr std::array<std::string_view, 20> kObliqueGroups = {"ffl", "ffr", "fll", "frr", "bbl", "bbr", "bll",
                                                             "brr", "ff",  "bb",  "ll",  "rr",  "fs",  "bs",
                                                             "lv",  "rv",  "fh",  "bh",  "lh",  "rh"};

// Letters and signs that people may expect, and why they are not there.
struct Stranger {
  char letter;
  std::string_view advice;
};
constexpr std::array<Stranger, 8> kStrangers = {{
    {'P', "a piece that moves one forward and captures diagonally forward is mfWcfF"},
    {'J', "the leap (2,3) is Z here"},
    {'O', "moves of two pieces at once are not in this notation"},
    {'a', "moves of several legs are not in this notation; did you mean 'A'?"},
    {'g', "landing right behind a hurdle is not in this notation; 'p' rides on behind it. Did you mean 'G'?"},
    {'q', "circular rides are not in this notation; did you mean 'Q'?"},
    {'z', "crooked rides are not in this notation; did you mean 'Z'?"},
    {'o', "boards that close on themselves are the board's matter: leave 'o' out"},
}};

bool has(std::string_view letters, char c) { return letters.find(c) != std::string_view::npos; }
std::string quoted(std::string_view letters) { return absl::StrCat("'", std::string(letters), "'"); }
std::string quoted(char c) { return quoted(std::string_view(&c, 1)); }

const Atom* find_atom(char letter) {
  const auto at = std::find_if(kAtoms.begin(), kAtoms.end(), [&](const Atom& atom) { return atom.letter == letter; });
  return at == kAtoms.end() ? nullptr : &*at;
}
// A lower-case letter that is an atom when it is written large, "" if it is not.
std::string as_atom(char c) {
  const char large = absl::ascii_toupper(c);
  return large != c && find_atom(large) != nullptr ? std::string(1, large) : std::string();
}

std::vector<Offset> offsets(Leap leap) {
  std::vector<Offset> out;
  for (int dx = -leap.far; dx <= leap.far; ++dx) {
    for (int dy = -leap.far; dy <= leap.far; ++dy) {
      if (std::min(std::abs(dx), std::abs(dy)) == leap.near && std::max(std::abs(dx), std::abs(dy)) == leap.far)
        out.push_back({dx, dy});
    }
  }
  return out;
}

// How far a step goes in the direction of a letter.
int toward(Offset step, char direction) {
  const int along = has("fb", direction) ? step.dy : step.dx;
  return has("bl", direction) ? -along : along;
}

// Whether a group of direction letters takes in a step of this leap. A letter alone or doubled asks for the longer side
// in its direction, a letter beside others only for its direction.
bool takes(std::string_view group, Leap leap, Offset step) {
  return std::all_of(group.begin(), group.end(), [&](char c) {
    if (c == 'h') return true;
    if (c == 's') return std::abs(step.dx) == leap.far;
    if (c == 'v') return std::abs(step.dy) == leap.far;
    const bool foremost = group.size() == 1 || std::count(group.begin(), group.end(), c) == 2;
    return foremost ? toward(step, c) == leap.far : toward(step, c) > 0;
  });
}

std::vector<Offset> taken(std::string_view group, Leap leap) {
  std::vector<Offset> out = offsets(leap);
  std::erase_if(out, [&](Offset step) { return !takes(group, leap, step); });
  return out;
}

// Letters as a sequence of groups; there is at most one way to divide them without saying something twice.
template <typename Groups>
bool divide(std::string_view letters, const Groups& groups, std::vector<std::string_view>& out) {
  if (letters.empty()) return true;
  for (const std::string_view group : groups) {
    if (letters.substr(0, group.size()) != group) continue;
    out.push_back(letters.substr(0, group.size()));
    if (divide(letters.substr(group.size()), groups, out)) return true;
    out.pop_back();
  }
  return false;
}

bool are_opposite(char a, char b) {
  return has("fb", a) ? has("fb", b) && a != b : has("lr", a) && has("lr", b) && a != b;
}

// The groups whose union the letters are; empty if they are none for this leap.
std::vector<std::string_view> groups_of(std::string_view letters, Leap leap) {
  std::vector<std::string_view> out;
  const bool single = leap.orthogonal() || letters.size() == 1 ||
                      (letters.size() == 2 && are_opposite(letters.front(), letters.back()));
  const std::string_view singles = leap.diagonal() ? "fblr" : "fblrsv";
  if (single && letters.find_first_not_of(singles) == std::string_view::npos) {
    for (std::size_t i = 0; i < letters.size(); ++i) out.push_back(letters.substr(i, 1));
  } else if (leap.diagonal()) {
    divide(letters, kDiagonalGroups, out);
  } else if (!leap.orthogonal()) {
    divide(letters, kObliqueGroups, out);
  }
  return out;
}

// The squares that 'n' and 'j' ask about, from the start outwards; of N the one beside the start.
std::vector<Offset> squares_between(Leap leap, Offset step) {
  std::vector<Offset> out;
  for (int i = 1; i < leap.far; ++i) out.push_back({step.dx / leap.far * i, step.dy / leap.far * i});
  return out;
}

// Whether everything that `b` allows is allowed by `a`.
bool covers(const BetzaAtom& a, const BetzaAtom& b) {
  const bool stricter = b.path == BetzaAtom::Path::lame || b.path == BetzaAtom::Path::over;
  return a.step == b.step && (a.range == 0 || (b.range != 0 && a.range >= b.range)) && (!a.initial || b.initial) &&
         (a.moves || !b.moves) && (a.captures || !b.captures) &&
         (a.path == b.path || (a.path == BetzaAtom::Path::free && stricter));
}

std::vector<BetzaAtom> normal_form(const std::vector<BetzaAtom>& atoms) {
  std::set<BetzaAtom> halves;  // moves and captures apart
  for (const BetzaAtom& atom : atoms) {
    for (const bool moving : {true, false}) {
      if (!(moving ? atom.moves : atom.captures)) continue;
      BetzaAtom half = atom;
      half.moves = moving;
      half.captures = !moving;
      halves.insert(half);
    }
  }
  std::map<BetzaAtom, BetzaAtom> merged;  // by everything but moves and captures
  for (const BetzaAtom& half : halves) {
    const bool needless = std::any_of(halves.begin(), halves.end(),
                                      [&](const BetzaAtom& other) { return other != half && covers(other, half); });
    if (needless) continue;
    BetzaAtom key = half;
    key.moves = key.captures = false;
    BetzaAtom& both = merged.emplace(key, key).first->second;
    both.moves |= half.moves;
    both.captures |= half.captures;
  }
  std::vector<BetzaAtom> out;
  out.reserve(merged.size());
  for (const auto& [key, atom] : merged) out.push_back(atom);
  std::sort(out.begin(), out.end());
  return out;
}

class BetzaParser {
 public:
  explicit BetzaParser(Span text) : whole_(std::move(text)), text_(whole_.text()) {}

  std::vector<BetzaAtom> parse() {
    if (text_.empty()) fail(0, 0, "this piece goes nowhere", "write at least one atom, such as K");
    if (text_.size() > kMostLetters)
      fail(kMostLetters, 1, "this notation goes on for too long", absl::StrCat("at most ", kMostLetters, " letters"));
    std::vector<BetzaAtom> out;
    while (at_ < text_.size()) part(out);
    return normal_form(out);
  }

 private:
  [[noreturn]] void fail(std::size_t from, std::size_t count, std::string_view message, std::string_view advice) const {
    fail_at(whole_.part(from, count), message, advice);
  }

  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  // [modifiers] ATOM [range]
  void part(std::vector<BetzaAtom>& out) {
    modifiers();
    const Atom& atom = take_atom();
    const std::size_t range_begin = at_;
    const int range = take_range(atom);
    check_path(atom, range, range_begin);
    BetzaAtom made;
    made.range = range;
    made.moves = has_modifier('m') || !has_modifier('c');
    made.captures = has_modifier('c') || !has_modifier('m');
    made.initial = has_modifier('i');
    if (has_modifier('n')) made.path = BetzaAtom::Path::lame;
    if (has_modifier('j')) made.path = BetzaAtom::Path::over;
    if (has_modifier('p')) made.path = BetzaAtom::Path::hurdle;
    for (std::size_t p = 0; p < atom.parts; ++p) {
      const Leap leap = atom.leaps[p];
      for (const Offset step : steps(atom, leap)) {
        made.step = step;
        made.between.clear();
        if (made.path == BetzaAtom::Path::lame || made.path == BetzaAtom::Path::over)
          made.between = squares_between(leap, step);
        out.push_back(made);
      }
    }
  }

  void modifiers() {
    begin_ = at_;
    while (absl::ascii_islower(next())) {
      const char c = next();
      if (!has(kOthers, c) && !has(kDirections, c)) unknown_letter();
      if (has(kOthers, c) && has(text_.substr(begin_, at_ - begin_), c))
        fail(at_, 1, absl::StrCat(quoted(c), " is given twice"), absl::StrCat("leave one ", quoted(c), " out"));
      ++at_;
    }
    modifiers_ = text_.substr(begin_, at_ - begin_);
    const std::size_t first = std::min(modifiers_.find_first_of(kDirections), modifiers_.size());
    const std::size_t end = std::min(modifiers_.find_first_not_of(kDirections, first), modifiers_.size());
    directions_ = modifiers_.substr(first, end - first);
    directions_begin_ = begin_ + first;
    const std::size_t apart = modifiers_.find_first_of(kDirections, end);
    if (apart != std::string_view::npos) {
      fail(begin_ + apart, 1,
           absl::StrCat("the direction ", quoted(modifiers_[apart]), " stands apart from the others"),
           absl::StrCat("write directions side by side: ",
                        quoted(absl::StrCat(std::string(directions_), std::string(1, modifiers_[apart])))));
    }
    const std::size_t n = modifiers_.find_first_of("njp");
    const std::size_t second = n == std::string_view::npos ? n : modifiers_.find_first_of("njp", n + 1);
    if (second != std::string_view::npos)
      fail(begin_ + second, 1,
           absl::StrCat(quoted(modifiers_[n]), " and ", quoted(modifiers_[second]), " exclude each other"),
           "of n, j and p write one; two ways to go are two atoms, as in nDjA");
  }

  bool has_modifier(char c) const { return has(modifiers_, c); }
  std::size_t place_of_modifier(char c) const { return begin_ + modifiers_.find(c); }

  const Atom& take_atom() {
    const char c = next();
    const std::string hint = modifiers_.empty() ? "" : as_atom(modifiers_.back());
    if (at_ == text_.size()) {
      fail(begin_, modifiers_.size(), absl::StrCat("no atom follows ", quoted(modifiers_)),
           modifiers_.size() == 1 && !hint.empty() ? absl::StrCat("did you mean ", quoted(hint), "?")
                                                   : "modifiers stand before their atom, as in mfW");
    }
    if (absl::ascii_isdigit(c)) {
      fail(at_, 1, "a number without an atom",
           hint.empty() ? "a range stands right behind its atom, as in R4"
                        : absl::StrCat("did you mean ", quoted(absl::StrCat(hint, std::string(1, c))), "?"));
    }
    const Atom* atom = find_atom(c);
    if (atom == nullptr) unknown_letter();
    ++at_;
    return *atom;
  }

  [[noreturn]] void unknown_letter() const {
    const char c = next();
    if (!absl::ascii_islower(c) && !absl::ascii_isupper(c)) {
      fail(at_, character_end(text_, at_) - at_, "this sign is not part of the notation",
           "write atoms with their modifiers and ranges one after another, without blanks: mfWcfF");
    }
    std::string advice = absl::ascii_isupper(c) ? absl::StrCat("atoms: ", std::string(kAtomLetters))
                                                : "modifiers: m c i n j p, directions f b l r s v h";
    if (!as_atom(c).empty()) advice = absl::StrCat("did you mean ", quoted(as_atom(c)), "?");
    for (const Stranger& stranger : kStrangers) {
      if (stranger.letter == c) advice = std::string(stranger.advice);
    }
    fail(at_, 1, absl::StrCat("there is no ", absl::ascii_isupper(c) ? "atom " : "modifier ", quoted(c)), advice);
  }

  int take_range(const Atom& atom) {
    const std::string letter(1, atom.letter);
    if (next() == atom.letter) {
      if (atom.rides)
        fail(at_, 1, absl::StrCat(letter, " rides without a limit already"), absl::StrCat("write ", letter, " once"));
      ++at_;
      if (next() == atom.letter)
        fail(at_, 1, absl::StrCat(letter, " is written three times"),
             absl::StrCat("twice is a ride without a limit: ", letter, letter));
      if (absl::ascii_isdigit(next()))
        fail(at_, 1, absl::StrCat(letter, letter, " rides without a limit, and here is one"),
             absl::StrCat("write ", letter, letter, " or ", letter, std::string(1, next())));
      return 0;
    }
    if (!absl::ascii_isdigit(next())) return atom.rides ? 0 : 1;
    const std::size_t begin = at_;
    int steps = 0;
    for (; absl::ascii_isdigit(next()); ++at_) steps = std::min(steps * 10 + (next() - '0'), kMostSteps + 1);
    const std::string advice =
        absl::StrCat("write ", letter, "1 to ", letter, kMostSteps, ", or ", letter, "0 for no limit");
    if (text_[begin] == '0' && at_ - begin > 1) fail(begin, at_ - begin, "a range has no zero in front", advice);
    if (steps > kMostSteps) fail(begin, at_ - begin, "this range is longer than any board", advice);
    return steps;
  }

  // n, j and p, where they say something.
  void check_path(const Atom& atom, int range, std::size_t range_begin) const {
    const std::string letter(1, atom.letter);
    const bool written = at_ > range_begin;
    if (has_modifier('p') && range == 1) {
      const std::string advice =
          absl::StrCat("a hurdle needs a second stop: write p", letter, "0 for no limit, or leave 'p' out");
      if (written) fail(range_begin, at_ - range_begin, "one step has no room for a hurdle", advice);
      fail(place_of_modifier('p'), 1, absl::StrCat("'p' needs a ride, and ", letter, " is one step"), advice);
    }
    for (const char c : {'n', 'j'}) {
      if (!has_modifier(c)) continue;
      const std::size_t place = place_of_modifier(c);
      const std::string says = absl::StrCat(quoted(c), " on ", letter);
      const Leap leap = atom.leaps[0];
      if (leap.far == 1)
        fail(place, 1, absl::StrCat(says, ": no square lies between two stops of ", letter),
             absl::StrCat(c == 'n' ? "leave 'n' out" : "did you mean 'p', over a hurdle?",
                          "; the leaps D A H G have squares between"));
      const bool oblique = !leap.orthogonal() && !leap.diagonal();
      if (oblique && (c == 'j' || atom.letter != 'N'))
        fail(place, 1, absl::StrCat(says, ": which squares lie between is not agreed upon"),
             c == 'n' ? "'n' goes with D A H G and N" : "'j' goes with D A H G");
      if (range != 1)
        fail(range_begin, at_ - range_begin, absl::StrCat(quoted(c), " goes with a single step"),
             absl::StrCat("write ", std::string(1, c), letter));
    }
  }

  // The steps of one part of the atom, in the directions asked for.
  std::vector<Offset> steps(const Atom& atom, Leap leap) const {
    if (directions_.empty()) return offsets(leap);
    const std::vector<std::string_view> groups = groups_of(directions_, leap);
    if (groups.empty()) bad_directions(atom, leap);
    std::set<Offset> out;
    std::vector<std::vector<Offset>> sets;
    for (const std::string_view group : groups) {
      sets.push_back(taken(group, leap));
      out.insert(sets.back().begin(), sets.back().end());
      for (std::size_t i = 0; i + 1 < sets.size(); ++i) check_overlap(groups[i], sets[i], group, sets.back());
    }
    return {out.begin(), out.end()};
  }

  void check_overlap(std::string_view first, const std::vector<Offset>& a, std::string_view second,
                     const std::vector<Offset>& b) const {
    const bool within = std::includes(a.begin(), a.end(), b.begin(), b.end());
    if (!within && !std::includes(b.begin(), b.end(), a.begin(), a.end())) return;
    const std::string_view less = within ? second : first;
    const auto place = static_cast<std::size_t>(less.data() - text_.data());
    if (first == second)
      fail(place, less.size(), absl::StrCat(quoted(less), " is given twice"),
           absl::StrCat("leave one ", quoted(less), " out"));
    fail(place, less.size(), absl::StrCat(quoted(within ? first : second), " says ", quoted(less), " too"),
         absl::StrCat("leave ", quoted(less), " out"));
  }

  [[noreturn]] void bad_directions(const Atom& atom, Leap leap) const {
    const std::string letter(1, atom.letter);
    const auto fail_on = [&](char c, std::string_view message, std::string_view advice) {
      fail(directions_begin_ + directions_.find(c), 1, message, advice);
    };
    const bool oblique = !leap.orthogonal() && !leap.diagonal();
    const std::string whole = quoted(directions_);
    if (!oblique && has(directions_, 'h'))
      fail_on('h', absl::StrCat("'h' halves the eight steps of N, C and Z; ", letter, " has no such half"),
              "leave 'h' out");
    if (atom.parts == 2)
      fail(directions_begin_, directions_.size(),
           absl::StrCat(whole, " has no one meaning on the diagonal part of ", letter),
           absl::StrCat("write the parts of ", letter, " one by one: ", atom.rides ? "R and B" : "W and F",
                        ", each with its directions"));
    for (const char c : {'s', 'v'}) {
      if (leap.diagonal() && has(directions_, c))
        fail_on(c, absl::StrCat("every step of ", letter, c == 's' ? " goes sideways" : " goes forward or backward"),
                absl::StrCat("leave ", quoted(c), " out; one step is fl, fr, bl or br"));
    }
    std::string advice = leap.diagonal()
                             ? "directions here: f b l r (two steps each), fl fr bl br (one each)"
                             : "directions here: f b l r (two steps each), s v fh bh lh rh (four), fs bs lv rv "
                               "(two), ffr frr and the like (one)";
    std::string sorted(directions_);
    std::sort(sorted.begin(), sorted.end());
    for (const std::string_view group : kObliqueGroups) {
      std::string other(group);
      std::sort(other.begin(), other.end());
      if (oblique && other == sorted) advice = absl::StrCat("did you mean ", quoted(group), "?");
    }
    if (oblique && directions_.size() == 2) {
      const bool turned = has("lr", directions_[0]);  // 'rf' as 'fr'
      const std::string v(1, directions_[turned ? 1 : 0]);
      const std::string s(1, directions_[turned ? 0 : 1]);
      if (has("fb", v[0]) && has("lr", s[0])) {
        const auto shown = [&](const std::string& group) {
          const Offset step = taken(group, leap).front();
          return absl::StrCat(group, letter, " is (", step.dx, ",", step.dy, ")");
        };
        advice = absl::StrCat(shown(v + v + s), ", ", shown(v + s + s), ", ", v, v, s, v, s, s, letter, " is both");
      }
    }
    if (has("h", directions_[0])) advice = "'h' stands behind f, b, l or r: fhN is the forward half";
    fail(directions_begin_, directions_.size(), absl::StrCat(whole, " has no one meaning on ", letter), advice);
  }

  Span whole_;
  std::string_view text_;
  std::size_t at_ = 0;
  // Of the part that is being read:
  std::size_t begin_ = 0;
  std::string_view modifiers_;
  std::string_view directions_;
  std::size_t directions_begin_ = 0;
};

}  // namespace

absl::StatusOr<std::vector<BetzaAtom>> parse_betza(const Span& text) {
  return guard([&] { return BetzaParser(text).parse(); });
}

}  // namespace plenum
