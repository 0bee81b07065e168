// SPDX-License-Identifier: Apache-2.0
// The slow rules of chess with crowds against published perft counts and the examples of their author, those of crowd=open
// against an independent program and against what follows from them.
#include "tests/slow_chess.h"

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/crowd_family.h"
#include "tests/sanitized.h"

namespace plenum::slow_chess::slow_chess_test {
namespace {

const std::string kOpening = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

Rules orthodox() {
  Rules out;
  out.crowd = Crowd::off;
  return out;
}

Rules small(int files, int ranks) {
  Rules out;
  out.files = files;
  out.ranks = ranks;
  return out;
}

std::vector<std::uint64_t> perfts(const Rules& rules, const std::string& position, int depth) {
  std::vector<std::uint64_t> out;
  for (int d = 1; d <= depth; ++d) out.push_back(perft(rules, parse(rules, position).value(), d));
  return out;
}

using Counts = std::vector<std::uint64_t>;
using Texts = std::vector<std::string>;

// Moves whose text has all of the given parts, sorted.
Texts moves_with(const Rules& rules, const std::string& position, const std::string& part = "") {
  Texts out;
  for (const Move& move : moves(rules, parse(rules, position).value())) {
    if (move.text.find(part) != std::string::npos) out.push_back(move.text);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string after(const Rules& rules, const std::string& position, const std::vector<std::string>& line) {
  const auto end = play(rules, parse(rules, position).value(), line);
  return end ? print(rules, *end) : "illegal";
}

TEST(Perft, Orthodox) {
  EXPECT_EQ(perfts(orthodox(), kOpening, 4), (Counts{20, 400, 8902, 197281}));
  // Positions of the chess programming wiki: castling, promotions, en passant that uncovers the king.
  EXPECT_EQ(perfts(orthodox(), "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", 3),
            (Counts{48, 2039, 97862}));
  EXPECT_EQ(perfts(orthodox(), "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 4), (Counts{14, 191, 2812, 43238}));
  EXPECT_EQ(perfts(orthodox(), "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", 3),
            (Counts{6, 264, 9467}));
  EXPECT_EQ(perfts(orthodox(), "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 3), (Counts{44, 1486, 62379}));
}

TEST(Perft, Crowds) {
  const Rules rules;
  EXPECT_EQ(perfts(rules, kOpening, 4), (Counts{20, 400, 8910, 198240}));
  EXPECT_EQ(perfts(rules, after(rules, kOpening, {"e2-e4", "e7-e5", "Nb1-c3", "e5&e4"}), 3), (Counts{33, 991, 33157}));
  EXPECT_EQ(perfts(rules, "rnb1kbnr/ppp2ppp/8/3p4/4(KNPqp)3/8/PPPP1PPP/R1BQ1BNR b kq -", 3), (Counts{53, 1960, 91011}));
}

TEST(LongPerft, FromTheOpening) {
  EXPECT_EQ(perft(orthodox(), parse(orthodox(), kOpening).value(), 5), 4865609U);
  EXPECT_EQ(perft({}, parse({}, kOpening).value(), 5), 4914381U);
}

TEST(AuthorsExamples, TheLine) {
  const Rules rules;
  const std::vector<std::string> line = {"e2-e4", "e7-e5",  "Nb1-c3", "e5&e4",  "Nc3&e4",
                                         "d7-d5", "Ke1-e2", "Qd8-e7", "Ke2-e3", "Qe7&e4"};
  Position p = parse(rules, kOpening).value();
  for (const std::string& move : line) {
    const auto next = play(rules, p, {move});
    ASSERT_TRUE(next.has_value()) << move;
    p = *next;
    EXPECT_EQ(in_check(rules, p, p.white), move == "Qe7&e4") << move;
  }
  EXPECT_EQ(print(rules, p), "rnb1kbnr/ppp2ppp/8/3p4/4(NPqp)3/4K3/PPPP1PPP/R1BQ1BNR w kq -");
  EXPECT_EQ(moves_with(rules, print(rules, p)), (Texts{"Ke3&e4"}));
  EXPECT_EQ(after(rules, print(rules, p), {"Ke3&e4"}), "rnb1kbnr/ppp2ppp/8/3p4/4(KNPqp)3/8/PPPP1PPP/R1BQ1BNR b kq -");
}

TEST(AuthorsExamples, WhoMayGoToF3) {
  const Rules rules;
  EXPECT_EQ(moves_with(rules, "rnbq1bnr/pppppppp/8/8/8/5(Kk)2/PPPPPPPP/RNBQ1BNR w - -", "f3"),
            (Texts{"Ng1&f3", "e2&f3", "f2&f3", "g2&f3"}));
  EXPECT_EQ(moves_with(rules, "rnbqkbnr/pppppppp/8/8/8/5r2/PPPPPPPP/RNBQKBNR w KQ -", "f3"),
            (Texts{"Ng1xf3", "e2xf3", "f2&f3", "g2xf3"}));
}

TEST(AuthorsExamples, ACrowdBreaksUp) {
  EXPECT_EQ(after({}, kOpening, {"e2-e4", "e7-e5", "e4&e5", "Nb8-c6", "Ng1-f3", "e5-e4"}),
            "r1bqkbnr/pppp1ppp/2n5/4P3/4p3/5N2/PPPP1PPP/RNBQKB1R w KQkq -");
}

TEST(Crowds, PawnsStepOntoKings) {
  const Rules rules = small(4, 4);
  EXPECT_EQ(after(rules, "3K/k3/P3/4 w - -", {"a2&a3"}), "3K/(Pk)3/4/4 b - -");
  EXPECT_EQ(moves_with(orthodox(), "8/8/8/8/7K/8/k7/8 b - -", "&"), Texts{});
  // On the last rank it becomes a piece on joining.
  EXPECT_EQ(moves_with(rules, "k2K/P3/4/4 w - -", "a3"), (Texts{"a3&a4=B", "a3&a4=N", "a3&a4=Q", "a3&a4=R"}));
}

TEST(Crowds, FriendsAloneMayNotBeJoined) {
  const Rules rules = small(4, 4);
  // Two friends after the enemy has gone: no third friend may come, the enemy may, and captures nothing.
  EXPECT_EQ(
      moves_with(rules, "3k/4/1(RN)2/K1R1 w - -", "b2"),
      (Texts{"Nb2-a4", "Nb2-c4", "Nb2-d1", "Nb2-d3", "Rb2-a2", "Rb2-b1", "Rb2-b3", "Rb2-b4", "Rb2-c2", "Rb2-d2"}));
  EXPECT_EQ(after(rules, "3k/r3/1(RN)2/3K b - -", {"Ra3-b3", "Kd1-c1", "Rb3&b2"}), "3k/4/1(RNr)2/2K1 w - -");
}

TEST(Crowds, EqualMenMakeOneMove) { EXPECT_EQ(moves_with(small(4, 4), "k2K/4/4/(RRr)3 w - -", "Ra1").size(), 6U); }

TEST(Crowds, LeavingMayUncoverTheKing) {
  const Rules rules = small(4, 4);
  EXPECT_FALSE(in_check(rules, parse(rules, "k2r/4/4/3(KN) w - -").value(), true));
  EXPECT_EQ(moves_with(rules, "k2r/4/4/3(KN) w - -"), (Texts{"Kd1-c1", "Kd1-c2"}));
  EXPECT_EQ(moves_with(rules, "k2r/4/3n/3(KN) w - -", "N"), (Texts{"Nd1-b2", "Nd1-c3"}));
  // A crowd that is left by one still shields.
  EXPECT_EQ(moves_with(rules, "k2r/4/3(Rb)/3K w - -", "R").size(), 5U);
}

TEST(Pao, HopsToCapture) {
  const Rules rules = small(4, 4);
  // Moves as a rook, also onto a lone enemy; captures over one hurdle; a crowd either way.
  EXPECT_EQ(moves_with(rules, "K3/3k/4/C1r1 w - -", "C"), (Texts{"Ca1&c1", "Ca1-a2", "Ca1-a3", "Ca1-b1"}));
  EXPECT_TRUE(in_check(rules, parse(rules, "K3/4/4/C1rk w - -").value(), false));
  EXPECT_EQ(moves_with(rules, "K3/3k/4/CRrn w - -", "C"), (Texts{"Ca1-a2", "Ca1-a3", "Ca1xc1"}));
  EXPECT_EQ(moves_with(rules, "K3/3k/4/CR(rn)1 w - -", "C"), (Texts{"Ca1&c1", "Ca1-a2", "Ca1-a3"}));
  EXPECT_EQ(moves_with(rules, "K3/3k/4/C1(rn)1 w - -", "C"), (Texts{"Ca1&c1", "Ca1-a2", "Ca1-a3", "Ca1-b1"}));
  // Those on its own square are no hurdle, a crowd is one.
  EXPECT_FALSE(in_check(rules, parse(rules, "K3/4/4/(Cr)2k w - -").value(), false));
  EXPECT_TRUE(in_check(rules, parse(rules, "K3/4/4/C(Rr)1k w - -").value(), false));
  EXPECT_EQ(moves_with(orthodox(), "K7/8/8/8/8/8/7k/C1r5 w - -", "x"), Texts{});
}

TEST(DoubleStep, EntersWhatItsMovePowerMay) {
  const Rules rules = small(4, 6);
  EXPECT_EQ(moves_with(rules, "k3/4/r3/4/P3/3K w - -", "a2"), (Texts{"a2&a4", "a2-a3"}));
  EXPECT_EQ(moves_with(rules, "k3/4/(rn)3/4/P3/3K w - -", "a2"), (Texts{"a2&a4", "a2-a3"}));
  EXPECT_EQ(moves_with(rules, "k3/4/4/r3/P3/3K w - -", "a2"), (Texts{"a2&a3"}));
  EXPECT_EQ(moves_with(small(4, 5), "k3/4/4/P3/3K w - -", "a2"), (Texts{"a2-a3"}));
}

TEST(EnPassant, OnlyAPawnAlone) {
  const Rules rules = small(4, 6);
  EXPECT_EQ(after(rules, "k3/4/1p2/4/P3/3K w - -", {"a2-a4"}), "k3/4/Pp2/4/4/3K b - a3");
  EXPECT_EQ(after(rules, "k3/4/1p2/4/P3/3K w - -", {"a2-a4", "b4xa3"}), "k3/4/4/p3/4/3K w - -");
  EXPECT_EQ(after(rules, "k3/4/np2/4/P3/3K w - -", {"a2&a4"}), "k3/4/(Pn)p2/4/4/3K b - -");
  // Out of a crowd and by a pawn in one.
  EXPECT_EQ(after(rules, "3k/4/1(Np)2/4/(Pr)3/3K w - -", {"a2-a4"}), "3k/4/P(Np)2/4/r3/3K b - a3");
  // Not where nobody can capture, or only illegally.
  EXPECT_EQ(after(rules, "k3/4/2p1/4/P3/3K w - -", {"a2-a4"}), "k3/4/P1p1/4/4/3K b - -");
  EXPECT_EQ(after(orthodox(), "8/8/8/8/R2p3k/8/4P3/K7 w - -", {"e2-e4"}), "8/8/8/8/R2pP2k/8/8/K7 b - -");
  Rules without = rules;
  without.en_passant = false;
  EXPECT_EQ(after(without, "k3/4/1p2/4/P3/3K w - -", {"a2-a4"}), "k3/4/Pp2/4/4/3K b - -");
}

TEST(Castling, KingAndRookAlone) {
  const Rules rules;
  const std::string sides = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
  EXPECT_EQ(moves_with(rules, sides, "O-"), (Texts{"O-O", "O-O-O"}));
  EXPECT_EQ(after(rules, sides, {"O-O-O", "O-O"}), "r4rk1/8/8/8/8/8/8/2KR3R w - -");
  EXPECT_EQ(moves_with(rules, "r3k2r/8/8/8/8/8/8/(Rn)3K2R w KQkq -", "O-"), (Texts{"O-O"}));
  EXPECT_EQ(moves_with(rules, "r3k2r/8/8/8/8/8/8/R3(Kn)2R w KQkq -", "O-"), Texts{});
  EXPECT_EQ(moves_with(rules, "4k3/8/8/8/8/8/5r2/R3K2R w KQ -", "O-"), (Texts{"O-O-O"}));
  EXPECT_EQ(moves_with(rules, "4k3/8/8/8/8/8/1r6/R3K2R w KQ -", "O-"), (Texts{"O-O", "O-O-O"}));
  // A right survives being joined, not a rook's leaving or its capture.
  EXPECT_EQ(after(rules, "4k3/7p/8/8/8/8/6p1/R3K2R b KQ -", {"g2xh1=N"}), "4k3/7p/8/8/8/8/8/R3K2n w Q -");
  EXPECT_EQ(after(rules, "4k3/8/8/8/8/8/7p/R3K2R b KQ -", {"h2&h1=N"}), "4k3/8/8/8/8/8/8/R3K2(Rn) w KQ -");
  EXPECT_EQ(after(rules, "4k3/8/8/8/8/8/8/R3K2(RRn) w KQ -", {"Rh1-g1"}), "4k3/8/8/8/8/8/8/R3K1R(Rn) b Q -");
}

TEST(Text, PrintingUndoesParsing) {
  const Rules rules;
  for (const std::string& text : {kOpening, std::string("8/8/8/3(KNPCkqp)4/8/8/8/8 b - -"),
                                  std::string("4k3/8/8/3pP3/8/8/8/4K3 w - d6"), std::string("8/8/8/8/8/8/8/8 w - -")}) {
    EXPECT_EQ(print(rules, parse(rules, text).value()), text);
  }
  EXPECT_EQ(print(rules, parse(rules, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3").value()),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -");
  for (const std::string text :
       {"", "8/8/8/8/8/8/8/8 w -", "8/8/8/8/8/8/8 w - -", "9/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/7 w - -",
        "8/8/8/8/8/8/8/6(K)1 w - -", "8/8/8/8/8/8/8/6(Kk w - -", "8/8/8/8/8/8/8/6KK w - -", "P7/8/8/8/8/8/8/8 w - -",
        "8/8/8/8/8/8/8/8 x - -", "8/8/8/8/8/8/8/8 w K -", "8/8/8/8/8/8/8/8 w - e6", "X7/8/8/8/8/8/8/8 w - -"}) {
    EXPECT_FALSE(parse(rules, text).has_value()) << text;
  }
  EXPECT_FALSE(parse(orthodox(), "8/8/8/8/8/8/8/6(Kk)1 w - -").has_value());
}

// --- crowd=open.

// Every line of a kind, of which there are so many, with its rules and its position.
template <typename Check>
void each_line(const char* kind, std::size_t lines, const Check& check) {
  const auto all = family_lines(kind);
  EXPECT_EQ(all.size(), lines);
  for (const auto& line : all) {
    SCOPED_TRACE(line.dump());
    const Rules rules = rules_of(line.at("options"));
    const auto p = parse(rules, line.at("position").get<std::string>());
    ASSERT_TRUE(p.has_value());
    check(line, rules, *p);
  }
}

TEST(CrowdFamily, MovesOfAnIndependentProgram) {
  each_line("moves", 89, [](const nlohmann::json& line, const Rules& rules, const Position& p) {
    Texts wanted;
    std::istringstream texts(line.at("expect").at("moves").get<std::string>());
    for (std::string text; texts >> text;) {
      const std::size_t mark = text.find("e.p.");  // that program's own mark
      wanted.push_back(text.substr(0, mark));
    }
    std::sort(wanted.begin(), wanted.end());
    Texts found;
    for (const Move& move : moves(rules, p)) found.push_back(move.text);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(found.size(), line.at("expect").at("count").get<std::size_t>());
    EXPECT_EQ(in_check(rules, p, p.white), line.at("expect").at("check").get<bool>());
    if (kSanitized) return;
    EXPECT_EQ(perft(rules, p, 2), line.at("expect").at("perft2").get<std::uint64_t>());
  });
}

void expect_perfts_of_the_file(int least, int most) {
  each_line("perft", 44, [&](const nlohmann::json& line, const Rules& rules, const Position& p) {
    for (const auto& [depth, nodes] : line.at("expect").items()) {
      if (std::stoi(depth) < least || std::stoi(depth) > most) continue;
      EXPECT_EQ(perft(rules, p, std::stoi(depth)), nodes.get<std::uint64_t>()) << depth;
    }
  });
}

TEST(CrowdFamily, PerftOfAnIndependentProgram) { expect_perfts_of_the_file(1, kSanitized ? 2 : 3); }
TEST(LongPerft, OfTheCrowdFamily) { expect_perfts_of_the_file(4, 4); }

TEST(LongPerft, OfTheCrowdFamilyFromTheOpening) {
  const std::vector<Counts> wanted = {
      {40, 1600, 69711, 3030264}, {40, 1598, 69475, 3006309}, {40, 1598, 69487, 3007507}, {40, 1600, 69349, 2997169},
      {40, 1598, 69115, 2973702}, {20, 400, 8930, 199546},    {20, 400, 8930, 199546}};
  const auto family = open_family();
  for (std::size_t i = 0; i < family.size(); ++i)
    EXPECT_EQ(perfts(family[i], kOpening, 4), wanted[i]) << name_of(family[i]);
  EXPECT_EQ(perfts(open_rules(Share::any, Capture::none, 2), kOpening, 4), (Counts{40, 1600, 68697, 2942132}));
}

TEST(CrowdFamily, WithRoomForOneManIsChess) {
  for (Rules rules : open_family()) {
    rules.most = 1;
    EXPECT_EQ(perfts(rules, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", 3), (Counts{14, 191, 2812})) << name_of(rules);
    EXPECT_EQ(perfts(rules, "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", 2), (Counts{44, 1486}));
  }
}

TEST(CrowdFamily, SafetyInNumbersIsNoMember) {
  struct Row {
    std::string position, move;
    std::string may;  // in safety, any, same, mixed: yes, no, or not a position
  };
  for (const Row& row :
       {Row{"4k3/8/8/8/4P3/2N5/8/4K3 w - -", "Nc3&e4", "nyyn"}, Row{"4k3/8/8/8/4(NPp)3/8/8/4K3 b - -", "e4-e3", "yy-n"},
        Row{"4k3/8/8/8/8/4(Np)3/3P4/4K3 w - -", "d2&e3", "yn-n"}}) {
    std::string found;
    for (const Rules& rules : {Rules{}, open_rules(Share::any, Capture::none), open_rules(Share::same, Capture::none),
                               open_rules(Share::mixed, Capture::none)}) {
      const auto p = parse(rules, row.position);
      found += !p ? '-' : play(rules, *p, {row.move}) ? 'y' : 'n';
    }
    EXPECT_EQ(found, row.may) << row.position;
  }
}

TEST(CrowdFamily, TheLawOfTheSquare) {
  EXPECT_TRUE(may_share(open_rules(Share::any, Capture::none, 3), "NPp"));
  EXPECT_FALSE(may_share(open_rules(Share::any, Capture::none, 2), "NPp"));
  EXPECT_TRUE(may_share(open_rules(Share::same, Capture::none), "NPP"));
  EXPECT_FALSE(may_share(open_rules(Share::same, Capture::none), "Np"));
  EXPECT_TRUE(may_share(open_rules(Share::mixed, Capture::none), "Kk"));
  EXPECT_FALSE(may_share(open_rules(Share::mixed, Capture::none), "kp"));
  EXPECT_TRUE(may_share(open_rules(Share::mixed, Capture::none), "p"));
  EXPECT_FALSE(parse(open_rules(Share::same, Capture::all), "8/8/8/8/8/8/8/6(Kk)1 w - -").has_value());
  EXPECT_FALSE(parse(open_rules(Share::mixed, Capture::one), "8/8/8/8/8/8/8/6(KN)1 w - -").has_value());
  EXPECT_FALSE(parse(open_rules(Share::any, Capture::one, 2), "8/8/8/8/8/8/8/6(KNN)1 w - -").has_value());
}

TEST(CrowdFamily, TheLetterOfTheManTaken) {
  const Rules one = open_rules(Share::any, Capture::one);
  EXPECT_EQ(moves_with(one, "3(rn)3k/4P3/8/8/8/8/8/K7 w - -", ":r"),
            (Texts{"e7xd8:r=B", "e7xd8:r=N", "e7xd8:r=Q", "e7xd8:r=R"}));
  // Men of one kind are alike, and a man who is alone needs no letter.
  EXPECT_EQ(moves_with(one, "7k/8/8/8/4(Prr)3/2N5/8/K7 w - -", "x"), (Texts{"Nc3xe4"}));
  EXPECT_EQ(moves_with(one, "7k/8/8/8/4r3/2N5/8/K7 w - -", "x"), (Texts{"Nc3xe4"}));
  // There is a choice by the rule of captures; that the king is left in check by one of the two does not change the text.
  EXPECT_EQ(moves_with(one, "7k/8/8/8/4(qb)3/2N5/8/4K3 w - -", "x"), (Texts{"Nc3xe4:q"}));
}

TEST(CrowdFamily, Check) {
  const auto check = [](const Rules& rules, const char* text) {
    const Position p = parse(rules, text).value();
    return in_check(rules, p, p.white);
  };
  const char* company = "4r2k/8/8/8/8/8/8/4(KN)3 w - -";
  EXPECT_FALSE(check(open_rules(Share::any, Capture::none), company));
  EXPECT_TRUE(check(open_rules(Share::any, Capture::all), company));
  EXPECT_TRUE(check(open_rules(Share::any, Capture::one), company));
  EXPECT_TRUE(check(open_rules(Share::same, Capture::all), company));
  // Under mixed, one: the last of its colour is safe; others of its colour expose it.
  const Rules mixed = open_rules(Share::mixed, Capture::one);
  EXPECT_FALSE(check(mixed, "4r2k/8/8/8/8/8/8/4(Kn)3 w - -"));
  EXPECT_TRUE(check(mixed, "4r2k/8/8/8/8/8/8/4(KNn)3 w - -"));
  // Who is held gives no check, not even to a king alone; one of a pair does, and who is pinned.
  EXPECT_FALSE(check(mixed, "4(BNr)2k/8/8/8/8/8/8/4K3 w - -"));
  EXPECT_TRUE(check(mixed, "4(Nr)2k/8/8/8/8/8/8/4K3 w - -"));
  EXPECT_TRUE(check(mixed, "R3r2k/8/8/8/8/8/8/4K3 w - -"));
  // Nobody on the king's own square gives check.
  EXPECT_FALSE(check(open_rules(Share::any, Capture::all), "7k/8/8/8/8/8/8/4(Kqr)3 w - -"));
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs texts_and_positions(const Rules& rules, const Position& p) {
  Pairs out;
  for (const Move& move : moves(rules, p)) out.emplace_back(move.text, print(rules, move.after));
  std::sort(out.begin(), out.end());
  return out;
}

// Kings and a third of the squares with up to four men, all as the law allows; the side not to move is not in check.
Position scattered(const Rules& rules, std::mt19937& random) {
  for (;;) {
    Position out;
    out.men.resize(static_cast<std::size_t>(rules.squares()));
    out.white = random() % 2 == 0;
    for (const char king : {'K', 'k'}) put(out, static_cast<int>(random() % out.men.size()), king);
    for (int square = 0; square < rules.squares(); ++square) {
      if (random() % 3 != 0) continue;
      const bool at_an_end = square / rules.files == 0 || square / rules.files == rules.ranks - 1;
      const std::string letters = at_an_end ? "QRBNCqrbnc" : "QRBNCPPPqrbncppp";
      for (auto count = random() % 4 + 1; count > 0; --count) put(out, square, letters[random() % letters.size()]);
    }
    const bool lawful = std::all_of(out.men.begin(), out.men.end(), [&](auto& men) { return may_share(rules, men); });
    if (lawful && !in_check(rules, out, !out.white)) return out;
  }
}

TEST(CrowdFamily, WhatIsRefusedIsCaptureNone) {
  std::mt19937 random(11);
  std::size_t with_crowds = 0;
  for (Rules refused : {open_rules(Share::same, Capture::one), open_rules(Share::same, Capture::one, 3),
                        open_rules(Share::mixed, Capture::all), open_rules(Share::mixed, Capture::all, 3),
                        open_rules(Share::mixed, Capture::one, 2)}) {
    refused.files = 3;
    refused.ranks = 6;
    Rules none = refused;
    none.capture = Capture::none;
    for (int i = 0; i < 200 / kFewer; ++i) {
      Position p = scattered(refused, random);
      for (int ply = 0; ply < 4; ++ply) {
        const std::string text = print(refused, p);
        with_crowds += text.find('(') != std::string::npos ? 1U : 0U;
        ASSERT_EQ(texts_and_positions(refused, p), texts_and_positions(none, p)) << name_of(refused) << " " << text;
        ASSERT_EQ(in_check(refused, p, p.white), in_check(none, p, p.white)) << name_of(refused) << " " << text;
        const auto all = moves(refused, p);
        if (all.empty()) break;
        p = all[random() % all.size()].after;
      }
    }
  }
  EXPECT_GT(with_crowds, 2000U / kFewer);
}

}  // namespace
}  // namespace plenum::slow_chess::slow_chess_test
