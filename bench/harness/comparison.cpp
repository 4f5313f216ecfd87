// Times variants in rounds, checks their answers, and makes rows.
#include "bench/harness/comparison.hpp"

#include "apps/report/quantity.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/percentile.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace duomap::apps {
namespace {

constexpr double most_runs_of_sample = 200;

std::string text_of(const answer_digest& answer) {
  return count_text(answer.rows, "row") + " that count " + std::to_string(answer.total);
}

std::vector<double> each(const std::vector<timed_run>& runs, double timed_run::*value) {
  std::vector<double> all;
  for (const timed_run& one : runs) all.push_back(one.*value);
  return all;
}

unsigned runs_of_sample(double sample_seconds, double seconds) {
  if (sample_seconds == 0) return 1;
  return static_cast<unsigned>(std::clamp(std::round(sample_seconds / seconds), 1.0, most_runs_of_sample));
}

}  // namespace

std::vector<double> series::seconds() const { return each(runs, &timed_run::seconds); }

std::vector<double> series::processor_seconds() const { return each(runs, &timed_run::processor_seconds); }

double series::middle() const { return median(seconds()); }

comparison_rules rounds_of_one_run(unsigned rounds) { return {.rounds = {rounds, rounds, 0}}; }

comparison_rules steady_samples(const round_limits& rounds, turns order) {
  return {.rounds = rounds, .order = order, .short_seconds = 1, .sample_seconds = 10e-3};
}

std::optional<timed_run> comparison::run(const variant& one) {
  stop_if_cancelled(&control_);
  std::optional<timed_run> ended = one.run();
  if (!ended || !ended->answer) return ended;
  const std::string program = one.name + " (" + one.device + ", " + count_text(one.threads, "thread") + ")";
  if (!answer_) {
    answer_ = ended->answer;
    first_ = program;
  }
  require_same_answer(*ended->answer == *answer_, program, first_,
                      text_of(*ended->answer) + ", not " + text_of(*answer_));
  return ended;
}

std::optional<timed_run> comparison::sample(const variant& one, unsigned runs) {
  std::optional<timed_run> last;
  std::vector<double> seconds, processor_seconds;
  for (unsigned n = 0; n < runs; ++n) {
    last = run(one);
    if (!last) return last;
    seconds.push_back(last->seconds);
    processor_seconds.push_back(last->processor_seconds);
  }
  last->seconds = median(std::move(seconds));
  last->processor_seconds = median(std::move(processor_seconds));
  return last;
}

std::vector<series> comparison::in_turn(const std::vector<variant>& variants, const comparison_rules& rules) {
  using clock = std::chrono::steady_clock;
  const auto seconds_of_run = [&](const variant& one) {
    const auto ended = run(one);
    return ended ? ended->seconds : 0;
  };
  std::vector<series> all;
  std::vector<double> typical;  // seconds of an uncounted run
  for (const variant& one : variants) {
    series& mine = all.emplace_back(series{.name = one.name});
    double& last = typical.emplace_back();
    for (unsigned n = 0; one.run && n < one.warm_up; ++n) {
      last = seconds_of_run(one);
      if (n == 0) mine.first_seconds = last;
    }
    // The time of a warm run decides how many runs make a sample.
    if (rules.sample_seconds > 0 && one.run)
      last = mine.first_seconds < rules.short_seconds ? seconds_of_run(one) : mine.first_seconds;
  }
  const auto begin = clock::now();
  for (unsigned round = 0; round < rules.rounds.most; ++round) {
    const double passed = std::chrono::duration<double>(clock::now() - begin).count();
    if (round >= rules.rounds.least && passed > rules.rounds.seconds) break;
    const bool back = rules.order == turns::back_and_forth && round % 2 == 1;
    for (std::size_t turn = 0; turn < variants.size(); ++turn) {
      const std::size_t i = back ? variants.size() - 1 - turn : turn;
      if (!variants[i].run) continue;
      if (typical[i] < rules.short_seconds) static_cast<void>(run(variants[i]));
      auto found = sample(variants[i], runs_of_sample(rules.sample_seconds, typical[i]));
      if (found) all[i].runs.push_back(std::move(*found));
    }
  }
  return all;
}

series comparison::alone(const variant& one, unsigned rounds) {
  return std::move(in_turn({one}, rounds_of_one_run(rounds)).front());
}

std::span<bench_row> comparison::add_in_turn(const std::vector<variant>& variants, unsigned rounds,
                                             const std::string& workload, const bench_work& work,
                                             bench_table& table) {
  const std::size_t first = table.rows.size();
  const std::vector<series> measured = in_turn(variants, rounds_of_one_run(rounds));
  std::ranges::move(rows_of(variants, measured, workload, work), std::back_inserter(table.rows));
  set_speed_ups(table, first);
  return std::span(table.rows).subspan(first);
}

bench_row& comparison::add_alone(const variant& one, unsigned rounds, const std::string& workload,
                                 const bench_work& work, bench_table& table) {
  const series measured = alone(one, rounds);
  for (const timed_run& run : measured.runs) {
    for (const std::string& note : run.report.notes) add_note(table.notes, note);
  }
  return table.rows.emplace_back(row_of(one, measured, workload, work));
}

const answer_digest& comparison::answer() const {
  expects(answer_.has_value(), "a comparison has an answer when a run had one");
  return *answer_;
}

void require_same_answer(bool same, const std::string& program, const std::string& reference,
                         const std::string& difference) {
  if (!same)
    throw error(exit_status::failed, program + " gave another answer than " + reference +
                                         (difference.empty() ? "; nothing of it counts" : ": " + difference));
}

bench_row row_of(const variant& one, const series& measured, const std::string& workload,
                 const bench_work& work) {
  bench_row row{.workload = workload,
                .program = one.name,
                .device = one.device,
                .threads = one.threads,
                .seconds = measured.seconds(),
                .not_measured = one.not_measured};
  if (measured.runs.empty()) return row;
  row.work = work;
  row.checked = true;
  if (one.first_is_cold) row.cold_seconds = measured.first_seconds;
  row.figures = measured.runs.front().figures;
  for (std::size_t i = 0; i < row.figures.size(); ++i) {
    std::vector<double> values;
    for (const timed_run& run : measured.runs) values.push_back(run.figures[i].value);
    row.figures[i].value = median(std::move(values));
  }
  for (const timed_run& run : measured.runs) row.host_bytes = std::max(row.host_bytes, run.host_bytes);
  return row;
}

std::vector<bench_row> rows_of(const std::vector<variant>& variants, const std::vector<series>& measured,
                               const std::string& workload, const bench_work& work) {
  std::vector<bench_row> rows;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    rows.push_back(row_of(variants[i], measured[i], workload, work));
    rows.back().checked = rows.back().checked && variants.size() > 1;
  }
  return rows;
}

}  // namespace duomap::apps
