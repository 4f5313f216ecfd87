#include "scheduler/profile/profile_text.hpp"

#include <algorithm>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr std::string_view first_line = "duomap profile 1";

}  // namespace

bool agree(const std::vector<std::pair<std::string, std::string>>& one,
           const std::vector<std::pair<std::string, std::string>>& other) {
  return std::all_of(one.begin(), one.end(), [&](const auto& fact) {
    return std::all_of(other.begin(), other.end(), [&](const auto& another) {
      return fact.first != another.first || fact.second == another.second;
    });
  });
}

std::string to_text(const profile_entry& entry) {
  std::string text(first_line);
  text += "\ntask " + quoted(entry.key.task) + "\n" + facts_text(entry.key.facts);
  text += "stored " + number_text(entry.profile.stored_at) + "\n";
  for (const executor_profile& one : entry.profile.executors) {
    text += "executor " + quoted(one.name);
    for (const double value : {one.model.seconds_per_grain, one.model.claim_seconds, one.model.start_seconds,
                               one.model.end_seconds, one.deviation, one.copy_per_unit, one.compute_per_unit,
                               one.model.alone_seconds_per_grain})
      text += " " + number_text(value);
    text += " " + number_text(one.runs) + " " + number_text(one.surprises) + "\n";
    if (one.model.beside) text += "beside " + number_text(*one.model.beside) + "\n";
  }
  return text + "check " + number_text(checksum(text)) + "\n";
}

std::optional<profile_entry> parse_profile(std::string_view text) {
  const std::string first = std::string(first_line) + "\n";
  if (text.substr(0, first.size()) != first) return std::nullopt;
  word_reader from(text.substr(first.size()));
  profile_entry entry;
  if (!from.line("task") || !from.name(entry.key.task) || !from.line_ended()) return std::nullopt;
  if (!from.facts(entry.key.facts)) return std::nullopt;
  if (!from.line("stored") || !from.number(entry.profile.stored_at) || !from.line_ended())
    return std::nullopt;
  while (from.at("executor")) {
    executor_profile one;
    if (!from.line("executor") || !from.name(one.name) || !from.amount(one.model.seconds_per_grain) ||
        !from.amount(one.model.claim_seconds) || !from.amount(one.model.start_seconds) ||
        !from.amount(one.model.end_seconds) || !from.amount(one.deviation) ||
        !from.amount(one.copy_per_unit) || !from.amount(one.compute_per_unit) ||
        !from.amount(one.model.alone_seconds_per_grain) || !from.number(one.runs) ||
        !from.number(one.surprises) || !from.line_ended())
      return std::nullopt;
    if (from.at("beside")) {
      double& share = one.model.beside.emplace();
      if (!from.line("beside") || !from.amount(share) || share > 1 || !from.line_ended()) return std::nullopt;
    }
    entry.profile.executors.push_back(std::move(one));
  }
  std::uint64_t sum = 0;
  if (!from.line("check") || !from.number(sum) || !from.line_ended() || !from.ended()) return std::nullopt;
  // All of it, the checksum too, byte for byte.
  if (to_text(entry) != text) return std::nullopt;
  return entry;
}

}  // namespace duomap::scheduler
