// Tests inputs of few records, with cheap maps and costly maps.
#include "core/config.hpp"
#include "core/input/input.hpp"
#include "cpu/machine_pool.hpp"
#include "duomap.hpp"
#include "scheduler/iterative/iterative_job.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace duomap::test::facade_inputs_of_few_records_test {
namespace {

/// The threads that have mapped something.
struct seen_threads {
  std::mutex mutex;
  std::set<std::thread::id> ids;
};

struct count_lines {
  using format = lines;
  using key = no_key;
  using reduce = sum<std::uint64_t>;
  std::chrono::microseconds each;
  seen_threads* seen;

  DUOMAP_HD void map(const line&, auto& emit) const {
#if !defined(__CUDA_ARCH__)
    std::this_thread::sleep_for(each);
    const std::lock_guard lock(seen->mutex);
    seen->ids.insert(std::this_thread::get_id());
#endif
    emit(1);
  }
};

struct count_indices : count_lines {
  using format = index_range;

  DUOMAP_HD void map(std::uint64_t, auto& emit) const { count_lines::map({}, emit); }
};

std::string some_lines(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += std::to_string(i) + "\n";
  return text;
}

/// Calls map(task, pool, seen), and returns the number of threads that mapped.
template <class Task, class Map>
std::size_t threads_seen(std::chrono::microseconds each, const Map& map) {
  seen_threads seen;
  Task task;
  task.each = each;
  task.seen = &seen;
  const auto pool = cpu::machine_pool(2);
  map(task, *pool, seen);
  return seen.ids.size();
}

template <class Task>
std::size_t threads_of(const input& from, std::uint64_t records, std::chrono::microseconds each) {
  return threads_seen<Task>(each, [&](const Task& task, worker_pool& pool, seen_threads&) {
    CHECK(run(task, from, pool, {.device = device_choice::cpu})[0] == records);
  });
}

/// The number of threads that map in one step of an iterative job.
template <class Task>
std::size_t threads_of_step(const input& from, std::uint64_t records, std::chrono::microseconds each) {
  return threads_seen<Task>(each, [&](const Task& task, worker_pool& pool, seen_threads& seen) {
    iterative_job<Task> job(task, from, pool, {.device = device_choice::cpu});
    for (int step = 0; step < 2; ++step) {
      seen.ids.clear();
      CHECK(job.step(task)[0] == records);
    }
  });
}

// The least of several tries: on a busy machine, other threads may wake before this thread runs again.
std::size_t least_of(const std::function<std::size_t()>& threads) {
  std::size_t least = threads();
  for (int i = 0; i < 20 && least > 1; ++i) least = std::min(least, threads());
  return least;
}

}  // namespace

TEST_CASE("few costly records are shared by the cores", "[few_records]") {
  const temporary_folder folder;
  const std::string text = some_lines(40);
  constexpr std::chrono::microseconds costly{5000};
  const auto cores = cpu::machine_pool(2)->workers();
  CHECK(threads_of<count_lines>(text_input(text), 40, costly) == cores);
  CHECK(threads_of<count_lines>(open_input({folder.write("list", text)}), 40, costly) == cores);
  CHECK(threads_of<count_indices>(index_input(40), 40, costly) == cores);
}

TEST_CASE("no thread is woken for few cheap records", "[few_records]") {
  if (torture) return;  // torture builds use all workers for any input
  constexpr std::chrono::microseconds cheap{0};
  CHECK(least_of([&] { return threads_of<count_indices>(index_input(3), 3, cheap); }) == 1);
  CHECK(least_of([&] { return threads_of<count_lines>(text_input("a\nb\n"), 2, cheap); }) == 1);
}

TEST_CASE("few costly records of a job's steps are shared by the cores", "[few_records]") {
  constexpr std::chrono::microseconds costly{5000};
  const auto cores = cpu::machine_pool(2)->workers();
  CHECK(threads_of_step<count_lines>(text_input(some_lines(40)), 40, costly) == cores);
  CHECK(threads_of_step<count_indices>(index_input(40), 40, costly) == cores);
}

TEST_CASE("no thread is woken for few cheap records of a job's steps", "[few_records]") {
  if (torture) return;  // torture builds use all workers for any input
  constexpr std::chrono::microseconds cheap{0};
  CHECK(least_of([&] { return threads_of_step<count_indices>(index_input(3), 3, cheap); }) == 1);
  CHECK(least_of([&] { return threads_of_step<count_lines>(text_input("a\nb\n"), 2, cheap); }) == 1);
}

}  // namespace duomap::test::facade_inputs_of_few_records_test
