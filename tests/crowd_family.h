// SPDX-License-Identifier: Apache-2.0
// The settings of crowd=open for the slow chess, and what an independent program says of them: golden/crowd-family.jsonl.
#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/slow_chess.h"

namespace plenum::slow_chess {

inline Rules open_rules(Share share, Capture capture, int most = 0) {
  Rules out;
  out.crowd = Crowd::open;
  out.share = share;
  out.most = most;
  out.capture = capture;
  return out;
}

// The seven pairs that can be played; the other two are refused.
inline std::vector<Rules> open_family() {
  return {open_rules(Share::any, Capture::none), open_rules(Share::any, Capture::all),
          open_rules(Share::any, Capture::one),  open_rules(Share::same, Capture::none),
          open_rules(Share::same, Capture::all), open_rules(Share::mixed, Capture::none),
          open_rules(Share::mixed, Capture::one)};
}

inline std::string share_of(const Rules& rules) {
  return rules.share == Share::any ? "any" : rules.share == Share::same ? "same" : "mixed";
}
inline std::string capture_of(const Rules& rules) {
  return rules.capture == Capture::none ? "none" : rules.capture == Capture::all ? "all" : "one";
}
inline std::string name_of(const Rules& rules) {
  return "share=" + share_of(rules) + " most=" + std::to_string(rules.most) + " capture=" + capture_of(rules);
}
// As the program takes them.
inline std::vector<std::string> settings_of(const Rules& rules) {
  const std::string crowd = rules.crowd == Crowd::safety ? "safety" : rules.crowd == Crowd::off ? "off" : "open";
  return {"crowd=" + crowd, "share=" + share_of(rules), "most=" + std::to_string(rules.most),
          "capture=" + capture_of(rules)};
}

// The rules that the options of a line name; every option of the file is known.
inline Rules rules_of(const nlohmann::json& options) {
  Rules out;
  for (const auto& [key, value] : options.items()) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    if (key == "board") {
      const std::size_t by = text.find('x');
      out.files = std::stoi(text.substr(text.find(':') + 1));
      out.ranks = std::stoi(text.substr(by + 1));
    } else if (key == "crowd" && text == "open") {
      out.crowd = Crowd::open;
    } else if (key == "share") {
      out.share = text == "any" ? Share::any : text == "same" ? Share::same : Share::mixed;
    } else if (key == "most") {
      out.most = value.get<int>();
    } else if (key == "capture") {
      out.capture = text == "none" ? Capture::none : text == "all" ? Capture::all : Capture::one;
    } else if (key == "promote") {
      out.promote = text;
    } else if (key == "double_step") {
      out.double_step = text == "on";
    } else if (key == "en_passant") {
      out.en_passant = text == "on";
    } else if (key == "stalemate") {
      out.stalemate_loses = text == "loss";
    } else if (key != "material") {
      throw std::runtime_error("crowd-family.jsonl: option " + key + " " + text);
    }
  }
  return out;
}

// Lines of a kind: moves, perft or ending.
inline std::vector<nlohmann::json> family_lines(const std::string& kind) {
  std::ifstream in(std::string(PLENUM_TESTS_FOLDER) + "/golden/crowd-family.jsonl");
  std::vector<nlohmann::json> out;
  for (std::string text; std::getline(in, text);) {
    nlohmann::json line = nlohmann::json::parse(text);
    if (line.at("kind") == kind) out.push_back(std::move(line));
  }
  return out;
}

}  // namespace plenum::slow_chess
