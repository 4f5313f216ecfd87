// Tests the number of workers that a run gets.
#include "cpu/machine_pool.hpp"

#include "core/config.hpp"
#include "core/input/compression.hpp"
#include "core/input/input.hpp"
#include "cpu/affinity.hpp"
#include "cpu/cores.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/scheduler/support.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace duomap::test::cpu_machine_pool_test {

using cpu::machine_pool;

namespace {

constexpr std::size_t small_size = 1000;
constexpr std::size_t large_size = 1'000'000;

unsigned workers_for(const input& from, unsigned threads = 0) {
  return machine_pool(threads, from)->workers();
}

}  // namespace

TEST_CASE("a loop over a small input is the caller's alone", "[machine_pool]") {
  if (torture) return;  // torture builds use all workers for any input
  const auto caller = std::this_thread::get_id();
  test::source_set several;
  for (int i = 0; i < 10; ++i) several.add_memory(std::string(small_size, 'x'));
  for (const input& from :
       {text_input(std::string(small_size, 'x')), text_input(""), input(), several.take()}) {
    const std::unique_ptr<worker_pool> pool = machine_pool(0, from);
    CHECK(pool->workers() == 1);
    CHECK(machine_pool(16, from)->workers() == 1);
    pool->run_workers([&](unsigned) { CHECK(std::this_thread::get_id() == caller); });
  }
}

TEST_CASE("a large input gets the cores that may be used, and no more threads than asked for",
          "[machine_pool]") {
  const input from = text_input(std::string(large_size, 'x'));
  CHECK(workers_for(from) == cpu::usable_cores().cores);
  for (const unsigned threads : {1U, 2U, 3U, 1000U}) {
    CHECK(workers_for(from, threads) == cpu::usable_cores(threads).cores);
    CHECK(workers_for(from, threads) <= threads);
  }
  test::source_set several;
  for (std::size_t i = 0; i < large_size / small_size; ++i) several.add_memory(std::string(small_size, 'x'));
  CHECK(workers_for(several.take()) == cpu::usable_cores().cores);
}

TEST_CASE("a pool for any input has the cores that may be used", "[machine_pool]") {
  CHECK(machine_pool(0)->workers() == cpu::usable_cores().cores);
  CHECK(machine_pool(1)->workers() == 1);
}

TEST_CASE("a pool has no more workers than CPUs that its caller may use now", "[machine_pool]") {
  const input from = text_input(std::string(large_size, 'x'));
  const unsigned before = workers_for(from);
  {
    const cpu::scoped_affinity one_cpu({cpu::allowed_cpus().front()});
    CHECK(workers_for(from) == 1);
  }
  CHECK(workers_for(from) == before);
}

TEST_CASE("a few bytes of a compressed file may hold much and count as large", "[machine_pool]") {
  if (!lacking_library(compression::zstd).empty()) return;
  const test::temporary_folder folder;
  // The file only begins like zstd. Nothing is decompressed before the run.
  const std::string path = folder.write("much.zst", std::string_view("\x28\xb5\x2f\xfd", 4));
  CHECK(workers_for(open_input({path})) == cpu::usable_cores().cores);
  if (!torture) CHECK(workers_for(open_input({folder.write("little", "text")})) == 1);
}

TEST_CASE("an input of unknown cost counts as large", "[machine_pool]") {
  CHECK(workers_for(index_input(20'000)) == cpu::usable_cores().cores);
  test::source_set streams;
  streams.add_memory("a");
  streams.add_stream("b");
  CHECK(workers_for(streams.take()) == cpu::usable_cores().cores);
}

TEST_CASE("a machine's pool visits every index", "[machine_pool]") {
  const std::unique_ptr<worker_pool> pool = machine_pool(0, text_input(std::string(large_size, 'x')));
  std::atomic<unsigned> visits = 0;
  pool->for_each_index(1000, [&](std::uint64_t) { ++visits; });
  CHECK(visits == 1000);
}

}  // namespace duomap::test::cpu_machine_pool_test
