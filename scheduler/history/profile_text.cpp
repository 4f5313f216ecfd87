// Writes and parses the lines of a task's profile.
#include "scheduler/history/profile_text.hpp"

#include "scheduler/history/profile_words.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr std::string_view first_line = "duomap profile 1";

// The numbers of a profile's line, in their order. `one` is an executor_profile, const or not.
auto amounts_of(auto& one) {
  return std::array{&one.model.seconds_per_unit,
                    &one.model.solo_seconds_per_unit,
                    &one.model.claim_seconds,
                    &one.model.end_seconds,
                    &one.deviation,
                    &one.copy_per_unit,
                    &one.compute_per_unit};
}

}  // namespace

std::string to_text(const task_profile& profile) {
  std::string text(first_line);
  text += "\ntask " + in_quotes(profile.task) + "\n";
  if (profile.worth > 0) {
    text += "worth " + number_text(profile.worth);
    if (profile.worth_units > 0) text += " " + number_text(profile.worth_units);
    text += "\n";
  }
  for (const executor_profile& one : profile.executors) {
    text += "executor " + in_quotes(one.is.name) + " " + number_text(one.stored_at);
    for (const double* const amount : amounts_of(one)) text += " " + number_text(*amount);
    text += " " + number_text(one.runs) + " " + number_text(one.surprises) + "\n" + facts_text(one.is.facts);
    if (one.model.co_run_share) text += "beside " + number_text(*one.model.co_run_share) + "\n";
    if (one.short_run > 0) text += "short " + number_text(one.short_run) + "\n";
  }
  return text + check_line(text);
}

std::optional<task_profile> parse_profile(std::string_view text) {
  const std::string first = std::string(first_line) + "\n";
  if (text.substr(0, first.size()) != first) return std::nullopt;
  word_reader from(text.substr(first.size()));
  task_profile profile;
  if (!from.line("task") || !from.name(profile.task) || !from.line_ended()) return std::nullopt;
  if (from.at("worth")) {
    if (!from.line("worth") || !from.amount(profile.worth)) return std::nullopt;
    if (!from.line_ended() && !(from.number(profile.worth_units) && from.line_ended())) return std::nullopt;
  }
  while (from.at("executor")) {
    executor_profile& one = profile.executors.emplace_back();
    if (!from.line("executor") || !from.name(one.is.name) || !from.number(one.stored_at)) return std::nullopt;
    for (double* const amount : amounts_of(one)) {
      if (!from.amount(*amount)) return std::nullopt;
    }
    if (!from.number(one.runs) || !from.number(one.surprises) || !from.line_ended() ||
        !from.facts(one.is.facts))
      return std::nullopt;
    if (from.at("beside")) {
      double& share = one.model.co_run_share.emplace();
      if (!from.line("beside") || !from.amount(share) || share > 1 || !from.line_ended()) return std::nullopt;
    }
    if (from.at("short") && !(from.line("short") && from.amount(one.short_run) && from.line_ended()))
      return std::nullopt;
  }
  if (!from.ended_by_check() || to_text(profile) != text) return std::nullopt;
  return profile;
}

}  // namespace duomap::scheduler
