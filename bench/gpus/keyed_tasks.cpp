// Measures sums, first values and words by key on groups of GPUs.
#include "apps/report/quantity.hpp"
#include "apps/tasks/aggregate/aggregate.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "bench/data/pair_data.hpp"
#include "bench/gpus/first_values.hpp"
#include "bench/gpus/gpus_machine.hpp"
#include "bench/harness/bench_text.hpp"
#include "core/untouched_allocator.hpp"
#include "duomap.hpp"
#include "gpu/feed/page_lock.hpp"

#include <algorithm>
#include <cstring>

namespace duomap::apps {
namespace {

/// Makes a run of a task that gives a number for each 32-bit key.
template <class Task>
gpus_run numbers_by_key(const input& from, gpus_machine& on, std::optional<engine_kind> engine = {}) {
  return [&from, &on, engine](run_options job, timed_run& into) {
    job.gpu.engine = engine;
    const stopwatch clock;
    const auto numbers = run(Task{}, from, on.pool, job);
    into.seconds = clock.seconds();
    answer_digest answer;
    numbers.for_each([&](std::uint32_t key, auto number) {
      answer.add(reinterpret_cast<const char*>(&key), sizeof key, static_cast<std::uint64_t>(number));
    });
    return answer;
  };
}

using bytes_in_memory = std::vector<char, untouched_allocator<char>>;

bytes_in_memory copy_of(byte_view from, worker_pool& pool) {
  bytes_in_memory copy(from.size + 64);  // with readable bytes behind the last chunk
  constexpr std::uint64_t step = std::uint64_t{1} << 22;
  pool.for_each_index((from.size + step - 1) / step, [&](std::uint64_t i) {
    std::memcpy(copy.data() + i * step, from.data + i * step, std::min(step, from.size - i * step));
  });
  return copy;
}

}  // namespace

void measure_sums(gpus_machine& on, bench_table& table) {
  const std::uint64_t count = on.bytes / 8;
  for (const std::uint32_t keys : {1000u, 1'000'000u}) {
    const pair_data pairs({.pairs = count, .distinct = keys}, 1, on.pool);
    const bench_work work{8.0 * static_cast<double>(count), "B"};
    const std::string name = "sums of pairs by " + count_text(keys, "key");
    const auto compare = [&](const std::string& how, const input& of, source_memory from,
                             std::optional<engine_kind> engine) {
      compare_gpus(on, name + ", " + how, work, from,
                   numbers_by_key<sum_by_key<std::int64_t>>(of, on, engine), table);
    };
    compare("page cache", open_input({pairs.path()}, input_content::records), source_memory::ordinary_memory,
            {});
    const bytes_in_memory copy = copy_of(pairs.bytes(), on.pool);
    const input memory = view_input({copy.data(), pairs.bytes().size});
    compare("ordinary memory", memory, source_memory::ordinary_memory, {});
    const gpu::page_lock lock(memory);
    compare("page-locked", memory, source_memory::locked_memory, {});
    compare("page-locked, sort engine", memory, source_memory::locked_memory, engine_kind::sort);
  }
}

void measure_first_values(gpus_machine& on, bench_table& table) {
  const std::uint64_t count = on.bytes / 8;
  const pair_data pairs({.pairs = count, .distinct = 1'000'000}, 1, on.pool);
  const input memory = view_input(pairs.bytes());
  const gpu::page_lock lock(memory);
  compare_gpus(on, "first values of pairs by 1,000,000 keys, page-locked",
               {8.0 * static_cast<double>(count), "B"}, source_memory::locked_memory,
               numbers_by_key<first_by_key>(memory, on), table);
}

void measure_words(gpus_machine& on, bench_table& table) {
  const bench_text words(100'000, 1, 20'000'000);
  const bench_text text({words.path()}, on.bytes);
  const input from = open_input({text.path()});
  const gpus_run count = [&](const run_options& job, timed_run& into) {
    const stopwatch clock;
    const auto counts = run(wordcount{}, from, on.pool, job);
    into.seconds = clock.seconds();
    return digest_of_counts(counts);
  };
  compare_gpus(on, "words, page cache", text.work(), source_memory::ordinary_memory, count, table);
  const gpu::page_lock lock(from);
  compare_gpus(on, "words, page-locked", text.work(), source_memory::locked_memory, count, table);
}

}  // namespace duomap::apps
