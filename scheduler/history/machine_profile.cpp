// Blends figures of runs and calibrations into a profile, and stores it as text.
#include "scheduler/history/machine_profile.hpp"

#include "scheduler/history/learning.hpp"
#include "scheduler/history/task_profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duomap::scheduler {
namespace {

constexpr std::string_view machine_first_line = "duomap machine 1";

/// The part that gets new figures. Its figures that were measured with other facts are removed.
machine_part& part_for(machine_profile& all, const identity& is, std::int64_t now) {
  auto found = std::find_if(all.parts.begin(), all.parts.end(),
                            [&](const machine_part& one) { return one.name == is.name; });
  if (found == all.parts.end()) found = all.parts.emplace(found);
  if (found->name != is.name || found->facts != is.facts) {
    found->name = is.name;
    found->facts = is.facts;
    found->figures.clear();
  }
  found->stored_at = now;
  return *found;
}

machine_figure* find_in(machine_part& part, machine_property term) {
  for (machine_figure& one : part.figures) {
    if (one.term == term) return &one;
  }
  return nullptr;
}

void blend(machine_part& part, machine_property term, double value) {
  machine_figure* const known = find_in(part, term);
  if (known == nullptr) {
    part.figures.push_back({term, 0, value, 0, 1});
    return;
  }
  if (!(std::abs(std::log(value / known->value)) <= surprise)) {
    *known = {term, 0, value, 0, 1};
    return;
  }
  known->samples = std::min(known->samples, most_runs - 1) + 1;
  known->value += (value - known->value) / known->samples;
}

void keep_most(machine_part& part, machine_property term, double value) {
  machine_figure* const known = find_in(part, term);
  if (known == nullptr) {
    part.figures.push_back({term, 0, value, 0, 1});
  } else if (value > known->value) {
    known->value = value;
  }
}

}  // namespace

const machine_part* find(const machine_profile& all, std::string_view name) noexcept {
  for (const machine_part& one : all.parts) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

bool trusted(const machine_part& one, const profile_facts& facts, std::int64_t now) noexcept {
  return one.facts == facts && is_recent(one.stored_at, now);
}

void calibrate(machine_profile& all, const identity& part, std::span<const machine_figure> measured,
               std::int64_t now) {
  machine_part& into = part_for(all, part, now);
  std::erase_if(into.figures, [&](const machine_figure& old) {
    return std::any_of(measured.begin(), measured.end(),
                       [&](const machine_figure& one) { return one.term == old.term; });
  });
  into.figures.insert(into.figures.end(), measured.begin(), measured.end());
}

bool learn(machine_profile& all, const identity& device, const device_lesson& lesson, std::int64_t now) {
  const executor_report& run = lesson.report;
  if (!run.trouble.empty()) return false;
  const double start = lesson.started_in > 0 ? lesson.started_in : lesson.was_cold ? run.start_seconds : 0;
  const bool claim = run.claim_seconds > 0;
  const bool arrival = lesson.bytes && run.units >= least_arrival_bytes && run.copy_seconds > 0;
  if (!(start > 0) && !claim && !arrival) return false;
  machine_part& part = part_for(all, device, now);
  if (start > 0) blend(part, machine_property::start, start);
  if (claim) blend(part, machine_property::claim, run.claim_seconds);
  if (arrival) keep_most(part, machine_property::arrival, static_cast<double>(run.units) / run.copy_seconds);
  return true;
}

executor_model model_of_machine(const machine_profile& all, const identity& device, std::int64_t now,
                                bool bytes_over_link) {
  executor_model model;
  const machine_part* const part = find(all, device.name);
  if (part == nullptr) return model;
  const auto value = [&](machine_property term) {
    const machine_figure* const known = duomap::find(part->figures, term);
    return known == nullptr ? 0 : known->value;
  };
  model.claim_seconds = value(machine_property::claim);
  // A device that no run has started needs at least the time to make a context.
  model.start_seconds = value(machine_property::start) > 0 ? value(machine_property::start)
                                                           : value(machine_property::context_start);
  if (const double link = most(part->figures, machine_property::to_device_locked);
      bytes_over_link && link > 0 && trusted(*part, device.facts, now))
    model.least_seconds_per_unit = 1 / std::max(link, value(machine_property::arrival));
  return model;
}

double start_seconds_of(const machine_profile& all) {
  double longest = 0;
  for (const machine_part& part : all.parts)
    longest = std::max(longest, most(part.figures, machine_property::start));
  return longest;
}

std::string to_text(const machine_profile& all) {
  std::string text = std::string(machine_first_line) + "\n";
  for (const machine_part& part : all.parts) {
    text +=
        "part " + in_quotes(part.name) + " " + number_text(part.stored_at) + "\n" + facts_text(part.facts);
    for (const machine_figure& one : part.figures) {
      text += "figure " + std::string(info(one.term).id) + " " + number_text(one.at) + " " +
              number_text(one.value) + " " + number_text(one.deviation) + " " + number_text(one.samples) +
              "\n";
    }
  }
  return text + check_line(text);
}

std::optional<machine_profile> parse_machine_profile(std::string_view text) {
  const std::string first = std::string(machine_first_line) + "\n";
  if (text.substr(0, first.size()) != first) return std::nullopt;
  word_reader from(text.substr(first.size()));
  machine_profile all;
  while (from.at("part")) {
    machine_part& part = all.parts.emplace_back();
    if (!from.line("part") || !from.name(part.name) || !from.number(part.stored_at) || !from.line_ended() ||
        !from.facts(part.facts))
      return std::nullopt;
    while (from.at("figure")) {
      machine_figure& one = part.figures.emplace_back();
      if (!from.line("figure")) return std::nullopt;
      const auto term = parse_machine_term(from.next());
      if (!term || !from.number(one.at) || !from.amount(one.value) || !from.amount(one.deviation) ||
          !from.number(one.samples) || !from.line_ended())
        return std::nullopt;
      one.term = *term;
    }
  }
  if (!from.ended_by_check() || to_text(all) != text) return std::nullopt;
  return all;
}

}  // namespace duomap::scheduler
