#include "apps/bench/suites/stringmatch_gpu_bench.hpp"

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/comparison.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/run_resident.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace duomap::apps {
namespace {

// More than the second-level cache of any device, less than the memory of any.
constexpr std::uint64_t resident_bytes = std::uint64_t{800} * 1000 * 1000;

/// Equal for equal matches in the same order.
answer_digest digest_of(const result_for<stringmatch>& found) {
  answer_digest answer;
  for_each_match(found, [&](const match& one) {
    const std::array<std::uint64_t, 4> parts = {one.source, one.offset, one.line, one.pattern};
    answer.add(reinterpret_cast<const char*>(parts.data()), sizeof parts, answer.rows);
  });
  return answer;
}

/// From opening the file to the matches in memory.
timed_run match_once(const stringmatch& task, const std::string& path, device_choice device) {
  timed_run one;
  const auto start = std::chrono::steady_clock::now();
  const auto found = run(task, open_input({path}), {.device = device});
  one.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  one.answer = digest_of(found);
  return one;
}

}  // namespace

std::vector<bench_table> bench_stringmatch_on_gpu(const std::string& path, const std::string& description,
                                                  const std::vector<pattern_set>& sets, unsigned rounds,
                                                  const run_control& control) {
  const pattern_list some({"CUDA"}, false);
  static_cast<void>(run(stringmatch(some), text_input("start CUDA"), {.device = device_choice::gpu}));

  const std::uint64_t bytes = open_input({path}).stored_bytes();
  const gpu::device_info& device = gpu::discover().devices.front();
  bench_table table{.name = "stringmatch-gpu",
                    .title = "String match, GPU: " + device.name,
                    .subject = description + ", " + bytes_text(bytes) +
                               "; from opening the file to the matches in memory, CUDA started before",
                    .plotted = bench_axis::rate};
  for (const pattern_set& set : sets) {
    const pattern_list patterns(set.patterns, false);
    const stringmatch task(patterns);
    comparison all(control);
    const auto measure = [&](device_choice on, unsigned runs, bool first_is_cold = false) {
      const variant measured{.name = "duomap",
                             .device = device_text(on),
                             .threads = cpu::usable_cores().cores,
                             .run = [&] { return match_once(task, path, on); },
                             .warm_up = first_is_cold ? 1u : 0u,
                             .first_is_cold = first_is_cold};
      table.rows.push_back(
          row_of(measured, all.alone(measured, runs), set.name, {static_cast<double>(bytes), "B"}));
      table.rows.back().figures = {{"matches", static_cast<double>(all.answer().rows)}};
    };
    measure(device_choice::gpu, rounds, true);
    measure(device_choice::cpu_gpu, rounds);
    measure(device_choice::cpu, std::min(rounds, 3u));

    if constexpr (gpu::has_code<stringmatch>) {
      const input texts = open_input({path});
      const byte_view whole = texts[0].bytes();
      byte_view part = whole.sub(0, std::min(whole.size, resident_bytes));
      while (part.size > 0 && part.size < whole.size && part[part.size - 1] != '\n') --part.size;
      if (part.size == 0) continue;  // a small file is not mapped
      const auto pool = cpu::machine_pool(0, texts);
      auto resident = gpu::run_resident(task, device.index, part, std::max(rounds, 3u), {}, *pool);
      const answer_digest on_gpu = digest_of(make_result(task, std::move(resident.found), *pool));
      require_same_answer(on_gpu == digest_of(run(task, view_input(part), {.device = device_choice::cpu})),
                          "the GPU", "the CPU");
      table.rows.push_back({.workload = set.name,
                            .program = "duomap, " + bytes_text(part.size) + " in the GPU's memory",
                            .device = "gpu",
                            .threads = cpu::usable_cores().cores,
                            .seconds = std::move(resident.seconds),
                            .work = {static_cast<double>(part.size), "B"},
                            .figures = {{"matches", static_cast<double>(on_gpu.rows)}},
                            .checked = true});
    }
  }
  return {table};
}

}  // namespace duomap::apps
