#include "apps/bench/suites/wordcount_gpu_bench.hpp"

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/comparison.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "core/add_note.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run_resident.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <optional>
#include <vector>

namespace duomap::apps {
namespace {

// More than the second-level cache of any device, less than the memory of any.
constexpr std::uint64_t resident_bytes = std::uint64_t{800} * 1000 * 1000;

answer_digest digest_of(const result_for<wordcount>& counts) {
  answer_digest answer;
  counts.for_each([&](byte_view word, std::uint64_t count) { answer.add(word.data, word.size, count); });
  return answer;
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
  one.figures = {{"of it mapping", one.report.map_seconds, "s"},
                 {"of it merging", one.report.merge_seconds, "s"}};
  return one;
}

}  // namespace

std::vector<bench_table> bench_wordcount_on_gpu(const std::string& path, const std::string& description,
                                                unsigned rounds, const run_control& control) {
  const double start_up = seconds_of(
      [] { static_cast<void>(run(wordcount{}, text_input("start CUDA"), {.device = device_choice::gpu})); });
  const std::uint64_t bytes = open_input({path}).stored_bytes();
  const gpu::device_info& device = gpu::discover().devices.front();
  const unsigned cores = cpu::usable_cores().cores;
  bench_table table{.name = "wordcount-gpu",
                    .title = "Word count, GPU: " + device.name,
                    .subject = "Starting CUDA took " + duration_text(start_up) + " and is not in the figures",
                    .plotted = bench_axis::rate};

  comparison all(control);
  const auto measure = [&](const std::string& what, const auto& from, device_choice on,
                           bool first_is_cold = false) {
    const variant measured{.name = "duomap, " + what,
                           .device = device_text(on),
                           .threads = cores,
                           .run = [&] { return count_once(from, on); },
                           .warm_up = first_is_cold ? 1u : 0u,
                           .first_is_cold = first_is_cold};
    const series found = all.alone(measured, rounds);
    add_notes(found, table.notes);
    table.rows.push_back(
        row_of(measured, found, description + ", " + bytes_text(bytes), {static_cast<double>(bytes), "B"}));
  };
  measure("file opened again", path, device_choice::gpu, true);
  measure("file opened again", path, device_choice::cpu_gpu);
  const input texts = open_input({path});
  measure("file kept open", texts, device_choice::gpu);
  measure("file kept open", texts, device_choice::cpu_gpu);
  measure("file kept open", texts, device_choice::cpu);
  {
    std::optional<gpu::page_lock> locked;
    const double locking = seconds_of([&] { locked.emplace(texts); });
    if (locked->refusal().empty()) {
      measure("file kept open and page-locked", texts, device_choice::gpu);
      measure("file kept open and page-locked", texts, device_choice::cpu_gpu);
      table.subject += "; page-locking the file took " + duration_text(locking);
    } else {
      add_note(table.notes, "The file was not page-locked: " + locked->refusal());
    }
  }

  const byte_view text = texts[0].bytes();
  const byte_view part = text.sub(0, std::min(text.size, resident_bytes));
  if constexpr (gpu::has_code<wordcount>) {
    const auto pool = cpu::machine_pool(0, texts);
    auto resident = gpu::run_resident(wordcount{}, device.index, part, std::max(rounds, 3u), {}, *pool);
    const auto on_gpu = make_result(wordcount{}, std::move(resident.found), *pool);
    require_same_answer(digest_of(on_gpu) == count_once(view_input(part), device_choice::cpu).answer,
                        "the GPU", "the CPU");
    table.rows.push_back({.workload = description + ", " + bytes_text(part.size) + " in the GPU's memory",
                          .program = "duomap",
                          .device = "gpu",
                          .threads = cores,
                          .seconds = std::move(resident.seconds),
                          .work = {static_cast<double>(part.size), "B"},
                          .checked = true});
  }
  table.subject += "; " + count_text(all.answer().total, "word") + ", " + count_text(all.answer().rows) +
                   " distinct; every answer is the CPU's, too";
  return {table};
}

}  // namespace duomap::apps
