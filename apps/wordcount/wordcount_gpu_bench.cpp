#include "apps/wordcount/wordcount_gpu_bench.hpp"

#include "apps/bench/contest.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/wordcount/wordcount.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstdio>
#include <vector>

namespace duomap::apps {
namespace {

// More than the second-level cache of any device, less than the memory of any.
constexpr std::uint64_t resident_bytes = std::uint64_t{800} * 1000 * 1000;

struct timed_run {
  double seconds = 0;  // from the input, or from opening it, to the complete result
  run_report report;
  answer_digest answer;
};

answer_digest digest_of(const result_for<wordcount>& counts) {
  answer_digest answer;
  counts.for_each([&](byte_view word, std::uint64_t count) { answer.add(word.data, word.size, count); });
  return answer;
}

void require_equal(const answer_digest& answer, const answer_digest& expected) {
  if (!(answer == expected)) throw error(exit_status::failed, "two runs gave different answers");
}

// Counts the words of an input, or of what a path opens: then opening and closing it take part of the time.
template <class Input>
timed_run count_once(const Input& from, device_choice device) {
  timed_run one;
  const auto start = std::chrono::steady_clock::now();
  const auto counts = [&] {
    const job_options options{.device = device, .report = &one.report};
    if constexpr (std::same_as<Input, input>) {
      return run(wordcount{}, from, options);
    } else {
      return run(wordcount{}, open_input({from}), options);
    }
  }();
  one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  one.answer = digest_of(counts);
  return one;
}

std::string milliseconds(double seconds) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.2f ms", seconds * 1000);
  return text.data();
}

std::string row(const std::string& what, std::uint64_t bytes, const timed_run& one) {
  return "| " + what + " | " + milliseconds(one.seconds) + " | " + rate_text(bytes, one.seconds) + " | " +
         milliseconds(one.report.map_seconds) + " | " + milliseconds(one.report.merge_seconds) + " |\n";
}

timed_run median_of(std::vector<timed_run> runs) {
  std::sort(runs.begin(), runs.end(),
            [](const timed_run& a, const timed_run& b) { return a.seconds < b.seconds; });
  return runs[runs.size() / 2];
}

}  // namespace

std::string bench_wordcount_on_gpu(const std::string& path, const std::string& description, unsigned rounds,
                                   const run_control& control) {
  const auto start = std::chrono::steady_clock::now();
  static_cast<void>(run(wordcount{}, text_input("start CUDA"), {.device = device_choice::gpu}));
  const double start_up = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const std::uint64_t bytes = open_input({path}).stored_bytes();
  const gpu::device_info& device = gpu::discover().devices.front();
  std::string table = "Word count on " + device.name + ": " + description + ", " + bytes_text(bytes) +
                      "; starting CUDA took " + duration_text(start_up) + " and is not in the figures; " +
                      count_text(rounds, "round") + ", medians.\n\n";
  table += "| run | time | throughput | of it mapping | of it merging |\n|---|---:|---:|---:|---:|\n";

  timed_run expected;
  std::vector<std::string> notes;
  const auto measure = [&](const std::string& what, const auto& from, device_choice on, unsigned runs) {
    std::vector<timed_run> all;
    for (unsigned i = 0; i < runs; ++i) {
      if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
      all.push_back(count_once(from, on));
      if (expected.answer.rows == 0) expected = all.back();
      require_equal(all.back().answer, expected.answer);
    }
    const timed_run one = median_of(std::move(all));
    table += row(what, bytes, one);
    for (const std::string& note : one.report.notes) {
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
  };
  measure("GPU, first run over the file", path, device_choice::gpu, 1);
  measure("GPU, file opened again", path, device_choice::gpu, rounds);
  measure("CPU + GPU, file opened again", path, device_choice::cpu_gpu, rounds);
  const input texts = open_input({path});
  measure("GPU, file kept open", texts, device_choice::gpu, rounds);
  measure("CPU + GPU, file kept open", texts, device_choice::cpu_gpu, rounds);
  measure("CPU, file kept open", texts, device_choice::cpu, rounds);

  const byte_view text = texts[0].bytes();
  const byte_view part = text.sub(0, std::min(text.size, resident_bytes));
  if constexpr (gpu::has_code<wordcount>) {
    const auto pool = cpu::machine_pool(0, texts);
    auto resident = gpu::run_resident(wordcount{}, device.index, part, std::max(rounds, 3u), {}, *pool);
    const double seconds = median(resident.seconds);
    table += "| GPU, " + bytes_text(part.size) + " in its memory | " + milliseconds(seconds) + " | " +
             rate_text(part.size, seconds) + " | | |\n";
    const auto on_gpu = make_result(wordcount{}, std::move(resident.found), *pool);
    require_equal(digest_of(on_gpu), count_once(view_input(part), device_choice::cpu).answer);
  }
  for (const std::string& note : notes) table += "\n" + note + ".\n";
  return table + "\n" + count_text(expected.answer.total, "word") + ", " + count_text(expected.answer.rows) +
         " distinct; all answers equal, the CPU's among them.\n";
}

}  // namespace duomap::apps
