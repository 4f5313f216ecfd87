// Sums arrays of 64 KiB to 128 MiB by run() and by oneTBB's parallel_reduce.
#include "bench/loops/array_sums.hpp"

#include "apps/report/quantity.hpp"
#include "bench/harness/bench_context.hpp"
#include "bench/harness/comparison.hpp"
#include "bench/loops/loops.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/task_arena.h>

#include <chrono>
#include <functional>
#include <numeric>
#include <vector>

namespace duomap::apps::loops {
namespace {

using clock = std::chrono::steady_clock;
using number_list = std::vector<std::uint32_t>;

struct sum_of_rows {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  DUOMAP_HD void map(const row<std::uint32_t>& number, auto& emit) const { emit(number[0]); }
};

std::uint64_t sum_with_tbb(tbb::task_arena& arena, const number_list& numbers) {
  using range = tbb::blocked_range<const std::uint32_t*>;
  return arena.execute([&] {
    return tbb::parallel_reduce(
        range(numbers.data(), numbers.data() + numbers.size()), std::uint64_t{0},
        [](const range& part, std::uint64_t before) {
          return std::accumulate(part.begin(), part.end(), before);
        },
        std::plus<>{});
  });
}

variant summing(const std::string& name, unsigned threads, const std::function<std::uint64_t()>& work) {
  return {.name = name, .threads = threads, .run = [work]() -> std::optional<timed_run> {
            const auto start = clock::now();
            const std::uint64_t total = work();
            timed_run done{.seconds = std::chrono::duration<double>(clock::now() - start).count(),
                           .answer = answer_digest{}};
            add_row(*done.answer, std::uint64_t{0}, total);
            return done;
          }};
}

}  // namespace

bench_table array_sums(std::uint64_t most_bytes, const run_control& control) {
  bench_table table{
      .name = "loops-arrays",
      .title = "Sums over arrays in memory, all cores",
      .subject =
          "An array of 32-bit numbers, summed by run() and by oneTBB's parallel_reduce. Samples hold "
          "10 ms of runs, and are taken in turn",
      .baseline = "plain oneTBB"};
  const unsigned threads = cpu::usable_cores().cores;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  for (const std::uint64_t bytes : {std::uint64_t{64} << 10, std::uint64_t{1} << 20, std::uint64_t{8} << 20,
                                    std::uint64_t{32} << 20, std::uint64_t{128} << 20}) {
    if (bytes > most_bytes) break;
    stop_if_cancelled(&control);
    number_list numbers(bytes / sizeof(std::uint32_t));
    std::iota(numbers.begin(), numbers.end(), 0U);
    const input from = view_input({reinterpret_cast<const char*>(numbers.data()), bytes});
    const auto pool = cpu::machine_pool(threads, from);
    const std::vector<variant> both = {
        summing("plain oneTBB", threads, [&] { return sum_with_tbb(arena, numbers); }),
        summing("duomap", threads, [&] {
          return run(sum_of_rows{}, from, *pool, {.device = device_choice::cpu, .learn = false})[0];
        })};
    const auto measured =
        comparison(control).in_turn(both, steady_samples({.least = 9, .most = 25, .seconds = 1}));
    const std::size_t first = table.rows.size();
    std::ranges::move(rows_of(both, measured, bytes_text(bytes), {static_cast<double>(bytes), "B"}),
                      std::back_inserter(table.rows));
    set_speed_ups(table, first);
  }
  return table;
}

}  // namespace duomap::apps::loops
