// SPDX-License-Identifier: Apache-2.0
// Piece games against an independent program (slow_chess) by random play, and the parts of them against their definitions.
#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "solver/study/perft.h"
#include "tables/index/packing.h"
#include "tests/crowd_family.h"
#include "tests/sanitized.h"
#include "tests/slow_chess.h"
#include "tests/variants_testing.h"
#include "variants/pieces/piece_board.h"

namespace plenum::piece_rules_test {
namespace {

using variants_testing::game;
using variants_testing::make;
using variants_testing::position;
using variants_testing::sure;

constexpr int kGames = 40 / kFewer;  // of each setting; of open crowds, of which there are many, a fifth
constexpr const char* kCrowded = "safety-in-numbers";
constexpr const char* kOpening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

std::vector<std::uint64_t> perfts(const Variant& v, const std::string& from, int depth) {
  std::vector<std::uint64_t> out;
  for (int d = 1; d <= depth; ++d) out.push_back(sure(perft(v.rules(), position(v, from), d)).nodes);
  return out;
}

TEST(Perft, OfOnePieceOnASquare) {
  const Variant v = game("chess", {});
  EXPECT_EQ(perfts(v, kOpening, 4), (std::vector<std::uint64_t>{20, 400, 8902, 197281}));
  if (kSanitized) return;
  EXPECT_EQ(perfts(v, kOpening, 5).back(), 4'865'609);
  EXPECT_EQ(perfts(v, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 4),
            (std::vector<std::uint64_t>{48, 2039, 97862, 4085603}));
}

TEST(Perft, OfCrowds) {
  const Variant v = game(kCrowded, {});
  EXPECT_EQ(perfts(v, kOpening, 4), (std::vector<std::uint64_t>{20, 400, 8910, 198240}));
  EXPECT_EQ(perfts(v, "rnbqkbnr/pppp1ppp/8/8/4(Pp)3/2N5/PPPP1PPP/R1BQKBNR w KQkq -", 4),
            (std::vector<std::uint64_t>{33, 991, 33157, 1028276}));
  EXPECT_EQ(perfts(v, "rnb1kbnr/ppp2ppp/8/3p4/4(KNPqp)3/8/PPPP1PPP/R1BQ1BNR b kq -", 3),
            (std::vector<std::uint64_t>{53, 1960, 91011}));
  if (kSanitized) return;
  EXPECT_EQ(perfts(v, kOpening, 5).back(), 4'914'381);
}

// A board, an array for it and rules, the same for both programs.
struct Setting {
  std::string array;
  slow_chess::Rules rules;
  Variant variant() const {
    const auto on = [](bool b) { return std::string(b ? "on" : "off"); };
    std::vector<std::string> set = slow_chess::settings_of(rules);
    for (const std::string& one :
         {"board=square:" + std::to_string(rules.files) + "x" + std::to_string(rules.ranks), "array=" + array,
          "promote=" + rules.promote, "double_step=" + on(rules.double_step), "en_passant=" + on(rules.en_passant),
          "castling=" + on(rules.castling), "stalemate=" + std::string(rules.stalemate_loses ? "loss" : "draw")})
      set.push_back(one);
    return game(kCrowded, set);
  }
};

// Safety in numbers, one man on a square, and the open crowds: every pair of settings, and with little room.
std::vector<slow_chess::Rules> crowds() {
  std::vector<slow_chess::Rules> out(2);
  out[1].crowd = slow_chess::Crowd::off;
  for (slow_chess::Rules rules : slow_chess::open_family()) {
    out.push_back(rules);
    if (rules.share == slow_chess::Share::mixed && rules.capture == slow_chess::Capture::one) {
      rules.most = 3;
    } else {
      rules.most = 2;
    }
    out.push_back(rules);
  }
  return out;
}

std::vector<Setting> settings() {
  std::vector<Setting> out;
  for (slow_chess::Rules rules : crowds()) {
    out.push_back({kOpening, rules});
    out.push_back({"r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq -", rules});
    out.push_back({"rcbqkbcr/pppppppp/8/8/8/8/PPPPPPPP/RCBQKBCR w KQkq -", rules});
    out.push_back({"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -", rules});
    rules.promote = "QC";
    rules.stalemate_loses = true;
    rules.files = rules.ranks = 5;
    out.push_back({"rnbqk/ppppp/5/PPPPP/RNBQK w - -", rules});
    out.push_back({"rcbck/ppppp/5/PPPPP/RCBCK w - -", rules});
    rules.files = 4;
    rules.ranks = 6;
    out.push_back({"ckrn/pppp/4/4/PPPP/CKRN w - -", rules});
    rules.en_passant = false;
    out.push_back({"1k1c/p2p/4/4/PPPP/CKRN b - -", rules});
    rules.files = 3;
    rules.ranks = 4;
    out.push_back({"kcr/2p/P2/KCR w - -", rules});
  }
  return out;
}

// The moves of a position with what they lead to, as texts.
std::map<std::string, std::string> moves_of(const Variant& v, const Position& p) {
  std::map<std::string, std::string> out;
  for (const Successor& s : sure(successors(v.rules(), p)))
    EXPECT_TRUE(out.emplace(s.text, v.rules().write(s.position)).second) << s.text;
  return out;
}

TEST(RandomPlay, IsThatOfAnIndependentProgram) {
  std::mt19937 random(7);
  std::size_t compared = 0;
  std::size_t crowded = 0;
  std::size_t passed = 0;
  for (const Setting& setting : settings()) {
    const Variant v = setting.variant();
    const int games = setting.rules.crowd == slow_chess::Crowd::open ? std::max(1, kGames / 5) : kGames;
    for (int g = 0; g < games; ++g) {
      slow_chess::Position slow = slow_chess::parse(setting.rules, setting.array).value();
      for (int ply = 0; ply < 80; ++ply) {
        const std::string text = slow_chess::print(setting.rules, slow);
        const Position fast = position(v, text);
        ASSERT_EQ(v.rules().write(fast), text);
        std::map<std::string, std::string> wanted;
        const std::vector<slow_chess::Move> moves = slow_chess::moves(setting.rules, slow);
        for (const slow_chess::Move& m : moves) wanted[m.text] = slow_chess::print(setting.rules, m.after);
        ASSERT_EQ(moves_of(v, fast), wanted) << text << " " << slow_chess::name_of(setting.rules);
        ++compared;
        crowded += text.find('(') != std::string::npos ? 1 : 0;
        passed += slow.en_passant >= 0 ? 1 : 0;
        if (moves.empty()) {
          const bool check = slow_chess::in_check(setting.rules, slow, slow.white);
          EXPECT_EQ(sure(v.rules().stuck(fast)).margin.units, check || setting.rules.stalemate_loses ? -1 : 0) << text;
          break;
        }
        // Towards crowds and promotions, which random play seldom meets.
        std::vector<std::size_t> liked;
        for (std::size_t i = 0; i < moves.size(); ++i) {
          if (moves[i].text.find_first_of("&=") != std::string::npos) liked.push_back(i);
        }
        const bool by_liking = !liked.empty() && random() % 2 == 0;
        slow = moves[by_liking ? liked[random() % liked.size()] : random() % moves.size()].after;
      }
    }
  }
  EXPECT_GT(compared, kGames * 500U);
  EXPECT_GT(crowded, kGames * 75U);
  EXPECT_GT(passed, kGames / 2U);
}

TEST(Keys, TellAllPositionsApartAndBack) {
  std::mt19937 random(11);
  for (const Setting& setting : settings()) {
    const Variant v = setting.variant();
    const Packing packing(v.rules(), true);
    ASSERT_LE(packing.words(), 8U);
    std::map<Key<8>, std::string> known;
    for (int g = 0; g < 10; ++g) {
      Position p = v.rules().start();
      for (int ply = 0; ply < 60; ++ply) {
        const Key<8> key = packing.pack<8>(p);
        EXPECT_EQ(packing.unpack<8>(key), p);
        const std::string text = v.rules().write(p);
        EXPECT_EQ(known.emplace(key, text).first->second, text);
        const std::vector<Successor> next = sure(successors(v.rules(), p));
        if (next.empty()) break;
        p = next[random() % next.size()].position;
      }
    }
  }
}

// All that a going reaches, cell by cell from the definition.
PieceTables::Reach walk(const std::vector<BetzaAtom>& atoms, Player owner, int width, int height, Cell from,
                        CellSet occupied) {
  PieceTables::Reach out;
  const int side = owner == Player::first ? 1 : -1;
  const auto cell = [&](Offset o, int times) -> int {
    const int x = from % width + side * o.dx * times;
    const int y = from / width + side * o.dy * times;
    return x < 0 || x >= width || y < 0 || y >= height ? -1 : y * width + x;
  };
  const auto filled = [&](int c) { return (occupied >> c & 1) != 0; };
  for (const BetzaAtom& going : atoms) {
    CellSet reached = 0;
    int met = 0;
    for (int n = 1; going.range == 0 || n <= going.range; ++n) {
      const int at = cell(going.step, n);
      if (at < 0) break;
      bool counts = true;
      if (going.path == BetzaAtom::Path::hurdle) counts = met == 1;
      if (going.path == BetzaAtom::Path::lame || going.path == BetzaAtom::Path::over) {
        int full = 0;
        for (const Offset& o : going.between) full += filled(cell(o, 1)) ? 1 : 0;
        counts = going.path == BetzaAtom::Path::lame ? full == 0 : full > 0;
      }
      if (counts) reached |= cell_bit(static_cast<Cell>(at));
      met += filled(at) ? 1 : 0;
      if (met > (going.path == BetzaAtom::Path::hurdle ? 1 : 0)) break;
    }
    if (going.moves) out.moves |= reached;
    if (going.captures) out.captures |= reached;
  }
  return out;
}

TEST(Reach, IsWhatTheNotationSays) {
  const std::vector<std::string> pieces = {
      "W",       "F",    "D",        "N",  "A",  "H",   "C",  "Z",        "G",   "K",     "Q",     "R",
      "B",       "R4",   "W3",       "NN", "DD", "nN",  "nD", "jD",       "jA",  "mRcpR", "mpRcR", "mfWcfF",
      "fsRbWbF", "fbNF", "fhNfrlRK", "BD", "WA", "FAD", "BN", "fhNsbWbF", "HFD", "mNcpB", "Q3",    "nAnH"};
  std::mt19937_64 random(3);
  for (const std::string& text : pieces) {
    const std::vector<BetzaAtom> atoms = sure(parse_betza(Span::whole("piece", text)));
    for (const std::string board : {"8x8", "5x5", "4x7", "3x3"}) {
      const Variant v = sure(make("name = \"T\"\n[options]\nboard = { default = \"square:" + board +
                                  "\" }\n[pieces]\nK = { betza = \"W\", royal = true }\nX = \"" + text +
                                  "\"\n[play]\nmaterial = \"'KXvKX'\"\n"));
      const PieceSet& set = *v.rules().pieces();
      const int cells = set.width * set.height;
      for (int n = 0; n < 30; ++n) {
        // A lone X among kings-in-name-only: only the occupied cells matter to it.
        Position p;
        p.mover = random() % 2 == 0 ? Player::first : Player::second;
        const auto from = static_cast<Cell>(random() % static_cast<unsigned>(cells));
        const CellSet others = random() & random() & v.board().all() & ~cell_bit(from);
        p.planes[set.plane(true, 1)] = cell_bit(from);
        p.planes[set.plane(false, 1)] = others;
        const PieceBoard b(set, p);
        const PieceTables::Reach found = b.reach(1, from);
        const PieceTables::Reach wanted = walk(atoms, p.mover, set.width, set.height, from, others | cell_bit(from));
        EXPECT_EQ(found.moves, wanted.moves) << text << " on " << board;
        EXPECT_EQ(found.captures, wanted.captures) << text << " on " << board;
        // Attacked is what some capture power reaches.
        for (int c = 0; c < cells; ++c) {
          Position target;
          target.mover = other(p.mover);
          target.planes[set.plane(true, 0)] = cell_bit(static_cast<Cell>(c));
          target.planes[set.plane(false, 1)] = (others | cell_bit(from)) & ~cell_bit(static_cast<Cell>(c));
          if (n > 3) break;
          bool attacked = false;
          for (CellSet rest = target.planes[set.plane(false, 1)]; rest != 0; rest &= rest - 1) {
            const auto at = static_cast<Cell>(std::countr_zero(rest));
            const CellSet all = target.planes[set.plane(false, 1)] | cell_bit(static_cast<Cell>(c));
            attacked |= (walk(atoms, p.mover, set.width, set.height, at, all).captures >> c & 1) != 0;
          }
          EXPECT_EQ(PieceBoard(set, target).in_check(), attacked) << text << " on " << board;
        }
      }
    }
  }
}

TEST(Symmetries, KeepMoves) {
  std::mt19937 random(5);
  for (const Setting& setting : settings()) {
    const Variant v = setting.variant();
    const SymmetryGroup& group = v.symmetries();
    for (int g = 0; g < 4; ++g) {
      Position p = v.rules().start();
      for (int ply = 0; ply < 40; ++ply) {
        const std::vector<Successor> next = sure(successors(v.rules(), p));
        for (std::size_t e = 1; e < group.size(); ++e) {
          const auto element = static_cast<GroupElement>(e);
          std::vector<std::string> images;
          for (const Successor& s : next) images.push_back(v.rules().write(group.apply(element, s.position)));
          std::vector<std::string> found;
          for (const Successor& s : sure(successors(v.rules(), group.apply(element, p))))
            found.push_back(v.rules().write(s.position));
          std::sort(images.begin(), images.end());
          std::sort(found.begin(), found.end());
          ASSERT_EQ(found, images) << v.rules().write(p);
        }
        if (next.empty()) break;
        const std::uint32_t tier = v.tiers().tier(p);
        p = next[random() % next.size()].position;
        ASSERT_GE(v.tiers().tier(p), tier);
      }
    }
  }
  EXPECT_EQ(game(kCrowded, {}).symmetries().size(), 2U);  // the players exchanged
  EXPECT_EQ(game(kCrowded, {"castling=off"}).symmetries().size(), 4U);
  EXPECT_EQ(game(kCrowded, {"material=KRvKR", "board=square:5x5"}).symmetries().size(), 16U);
}

std::string problem(const std::string& name, const std::vector<std::string>& set, const std::string& text) {
  const auto p = game(name, set).rules().read(Span::whole("position", text));
  return p.ok() ? "fine" : std::string(p.status().message());
}

TEST(Positions, AreRefusedInWords) {
  const auto has = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has(problem(kCrowded, {}, "8/8/8/8/8/8/8/8 w - -"), "first has no K");
  has(problem(kCrowded, {}, "k7/8/8/8/8/8/8/KK6 w - -"), "more than one K");
  has(problem(kCrowded, {}, "k7/8/8/8/8/8/8/K7 x - -"), "w or b");
  has(problem(kCrowded, {}, "k6P/8/8/8/8/8/8/K7 w - -"), "cannot stand on h8");
  has(problem(kCrowded, {}, "k7/8/8/8/8/8/8/KX6 w - -"), "no piece 'X'");
  has(problem(kCrowded, {}, "k7/8/8/8/8/8/8/K8 w - -"), "row 1");
  has(problem(kCrowded, {}, "k7/8/8/8/8/8/8/K7 w K -"), "right to castle");
  has(problem(kCrowded, {}, "k7/8/8/8/8/8/8/K7 w - e9"), "no cell 'e9'");
  has(problem(kCrowded, {}, "k7/8/8/8/8/8/8/K7 w - e3"), "no pawn has just passed");
  has(problem(kCrowded, {}, "kR6/8/8/8/8/8/8/K7 w - -"), "could take the K");
  has(problem(kCrowded, {}, "k7/8/8/(Pp/8/8/8/K7 w - -"), "stand between ( and )");
  has(problem("chess", {}, "k7/8/8/(Pp)7/8/8/8/K7 w - -"), "two men on a5");
  EXPECT_EQ(problem("chess", {}, "k7/8/8/8/8/8/8/K7 w - - 0 1"), "fine");
  EXPECT_EQ(problem(kCrowded, {}, "k7/8/8/(Pp)7/8/8/8/K7 b - -"), "fine");
  // The law of the square.
  has(problem(kCrowded, {"crowd=open", "most=2"}, "k7/8/8/(NNn)7/8/8/8/K7 w - -"), "more than 2 men on a5");
  has(problem(kCrowded, {"crowd=open", "share=same"}, "k7/8/8/(Nn)7/8/8/8/K7 w - -"), "men of both players on a5");
  has(problem(kCrowded, {"crowd=open", "share=mixed"}, "k7/8/8/(NN)7/8/8/8/K7 w - -"), "men of one player alone on a5");
  EXPECT_EQ(problem(kCrowded, {"crowd=open", "share=mixed"}, "k7/8/8/(NNn)7/8/8/8/K7 w - -"), "fine");
}

TEST(Descriptions, AreRefusedInWords) {
  const auto tell = [](const std::string& pieces, const std::string& play) {
    const auto v = make("name = \"T\"\n[options]\nboard = { default = \"square:4x4\" }\n[pieces]\n" + pieces +
                        "\n[play]\n" + play + "\n");
    return v.ok() ? "fine" : std::string(v.status().message());
  };
  const auto has = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  const std::string king = "K = { betza = \"K\", royal = true }\n";
  const std::string array = "array = \"'k3/4/4/3K w - -'\"";
  EXPECT_EQ(tell(king, array), "fine");
  has(tell("K = \"K\"", array), "no piece is royal");
  has(tell(king + "N = \"Y\"", array + "\nmaterial = \"'KNvK'\""), "Y");
  has(tell(king + "nn = \"N\"", array), "one capital letter");
  has(tell(king, "crowd = \"'safety'\""), "begins with");
  has(tell(king, "material = \"'KRvK'\""), "no piece 'R'");
  has(tell(king, "material = \"'KK'\""), "both players");
  has(tell(king + "P = { betza = \"mfWcfF\", promotes = \"'K'\" }", "material = \"'KPvK'\""), "cannot become");
  has(tell(king + "P = { betza = \"mfW\", first_step = \"mfW2\" }", "material = \"'KPvK'\""), "does not promote");
  has(tell(king + "[kinds]\nx = \"first\"", array), "has no [kinds]");
  has(tell(king, array + "\nstalemate = \"'win'\""), "not known");
  has(tell(king, array + "\ncrowd = \"'open'\"\nmost = \"65\""), "cannot share a cell");
  has(tell(king, array + "\ncrowd = \"'open'\"\nmost = \"count(empty)\""), "must be a constant");
  has(tell(king, array + "\ncrowd = \"'open'\"\nshare = \"'some'\""), "not known");
}

TEST(Descriptions, RefuseSettingsThatContradictEachOther) {
  const auto tell = [](const std::vector<std::string>& settings) {
    Description d = sure(load_description(kCrowded, PLENUM_DATA_FOLDER));
    for (const std::string& one : settings) EXPECT_TRUE(d.set_option(Span::whole("option", one)).ok()) << one;
    const absl::StatusOr<Variant> v = Variant::make(d);
    EXPECT_TRUE(v.ok() || absl::IsFailedPrecondition(v.status())) << v.status();
    return v.ok() ? "fine" : std::string(v.status().message());
  };
  const auto has = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  has(tell({"share=same"}), "share=same: share, most and capture are read where crowd=open only");
  has(tell({"crowd=off", "most=2"}), "most=2: ");
  has(tell({"crowd=open", "most=1"}), "crowd=off");
  has(tell({"crowd=open", "share=same", "capture=one"}), "share=same capture=one: taking one piece");
  has(tell({"crowd=open", "share=mixed", "capture=all"}), "share=mixed capture=all: every crowd");
  has(tell({"crowd=open", "share=mixed", "capture=one", "most=2"}), "a crowd is a pair");
  EXPECT_EQ(tell({"crowd=open", "share=mixed", "capture=one", "most=3"}), "fine");
  // In any description; a condition that positions decide is none.
  const std::string game =
      "name = \"T\"\n[options]\nboard = { default = \"square:3x3\" }\nk = { default = 3, range = [1, 9] }\n"
      "[moves.place]\nto = \"empty\"\n[end]\nwins = \"any(line(mine, k))\"\nstuck = \"ties\"\n[refused.long]\n"
      "why = \"no line is so long\"\nwhen = ";
  EXPECT_TRUE(make(game + "\"k > width\"").ok());
  has(std::string(make(game + "\"k == width\"").status().message()), "T: no line is so long");
  has(std::string(make(game + "\"any(empty)\"").status().message()), "must be a constant");
  has(std::string(make(game + "\"\"").status().message()), "expected");
}

TEST(Moves, AreFoundHoweverTheyAreWritten) {
  const Variant v = game("chess", {});
  const auto find = [&](const std::string& from, const std::string& text) {
    const auto found = find_move(v.rules(), position(v, from), Span::whole("move", text));
    return found.ok() ? found->text : std::string(found.status().message());
  };
  for (const char* text : {"Ng1-f3", "Nf3", "Ngf3", "g1f3", "Ng1f3"}) EXPECT_EQ(find(kOpening, text), "Ng1-f3");
  for (const char* text : {"e4", "e2e4", "e2-e4"}) EXPECT_EQ(find(kOpening, text), "e2-e4");
  const std::string rooks = "4k3/8/8/8/8/8/8/R3K2R w KQ -";
  EXPECT_EQ(find(rooks, "O-O"), "O-O");
  EXPECT_EQ(find(rooks, "0-0-0"), "O-O-O");
  EXPECT_EQ(find(rooks, "e1g1"), "O-O");
  const std::string pawn = "1r2k3/P7/8/8/8/8/8/4K3 w - -";
  EXPECT_EQ(find(pawn, "axb8=N"), "a7xb8=N");
  EXPECT_EQ(find(pawn, "a7b8q"), "a7xb8=Q");
  EXPECT_EQ(find(pawn, "a7-b8=R"), "a7xb8=R");
  EXPECT_NE(find("4k3/8/8/8/8/N7/8/N3K3 w - -", "Nc2").find("Na1-c2 or Na3-c2"), std::string::npos);
}

}  // namespace
}  // namespace plenum::piece_rules_test
