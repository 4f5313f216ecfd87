// Tests the engines of gpu/engines with colliding keys: every engine and path must give the CPU's answer.
// With linear probing, the last key would take a step for each other key.
#include "apps/tasks/aggregate/aggregate.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "core/input/input.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "gpu/device/device.hpp"
#include "gpu/engines/hash_partitioned/key_bits.hpp"
#include "gpu/make_backend.hpp"
#include "gpu/options.hpp"
#include "gpu/record/key_bytes.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/support/colliding_words.hpp"
#include "tests/support/no_gpu.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_engines_colliding_keys_test {
namespace {

template <class Task, class Key>
std::map<Key, std::uint64_t> found_by(const Task& task, const input& from, std::unique_ptr<backend<Task>> on,
                                      worker_pool& pool) {
  std::vector<std::unique_ptr<backend<Task>>> one;
  one.push_back(std::move(on));
  run_report report;
  std::map<Key, std::uint64_t> found;
  scheduler::run(task, from, one, pool, nullptr, report).for_each([&](const auto& key, const auto& value) {
    if constexpr (std::is_same_v<Key, std::string>) {
      found.emplace(key.text(), static_cast<std::uint64_t>(value));
    } else {
      found.emplace(key, static_cast<std::uint64_t>(value));
    }
  });
  return found;
}

template <class Key, class Task>
void check_on_gpu(const Task& task, const input& from, const std::vector<gpu::backend_options>& all) {
  cpu::tbb_pool pool(4);
  const auto expected =
      found_by<Task, Key>(task, from, std::make_unique<cpu::cpu_backend<Task>>(task, pool), pool);
  for (const gpu::backend_options& options : all) {
    CAPTURE(options.engine.has_value(), static_cast<int>(options.path), options.first_keys);
    auto on = std::move(gpu::make_backends(task, {gpu::discover().devices.front().index}, options).front());
    CHECK((found_by<Task, Key>(task, from, std::move(on), pool) == expected));
  }
}

/// Keys whose hashes begin with ten zero bits, and so share a home.
std::vector<std::uint32_t> keys_of_a_place(std::uint64_t count) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t key = 0; keys.size() < count; ++key) {
    if (torture_hash || gpu::hash_of_short_word(gpu::short_word(key, sizeof key)) >> 54 == 0)
      keys.push_back(key);
  }
  return keys;
}

/// Keys to which spread() gives 0, 1, 2 and so on: the first places of every table.
std::vector<std::uint32_t> keys_of_small_spread(std::uint32_t count) {
  constexpr auto inverse = [](std::uint32_t factor) {
    std::uint32_t x = factor;
    for (int i = 0; i < 5; ++i) x *= 2 - factor * x;
    return x;
  };
  std::vector<std::uint32_t> keys;
  for (std::uint32_t wanted = 0; wanted < count; ++wanted) {
    std::uint32_t h = wanted * inverse(0x85EBCA6B);
    h ^= h >> 16;
    const std::uint32_t key = h * inverse(0x9E3779B1);
    REQUIRE(gpu::spread(key) == wanted);
    keys.push_back(key);
  }
  return keys;
}

}  // namespace

TEST_CASE("GPU engines: words that collide are counted", "[gpu]") {
  if (no_gpu()) return;
  std::string text;
  for (int times = 0; times < 2; ++times) {
    for (const std::string& word : colliding_words(torture ? 2000 : 80'000, 64)) text += word + " and\n";
  }
  check_on_gpu<std::string>(apps::wordcount{}, view_input(text),
                            {{.engine = engine_kind::hash},
                             {.engine = engine_kind::hash, .first_keys = 1, .block_slots = 64},
                             {.engine = engine_kind::sort}});
}

TEST_CASE("GPU engines: sums of keys that collide", "[gpu]") {
  if (no_gpu()) return;
  for (const std::vector<std::uint32_t>& keys :
       {keys_of_a_place(torture ? 2000 : 40'000), keys_of_small_spread(torture ? 2000 : 1'000'000)}) {
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t times = 1; times <= 2; ++times) {
      for (const std::uint32_t key : keys) pairs.insert(pairs.end(), {key, times});
    }
    const std::string bytes(reinterpret_cast<const char*>(pairs.data()),
                            pairs.size() * sizeof(std::uint32_t));
    check_on_gpu<std::uint32_t>(apps::sum_by_key<std::int64_t>{}, view_input(bytes),
                                {{.path = gpu::aggregation_path::automatic},
                                 {.path = gpu::aggregation_path::general},
                                 {.path = gpu::aggregation_path::block_table},
                                 {.path = gpu::aggregation_path::partitioned}});
  }
}

}  // namespace duomap::test::gpu_engines_colliding_keys_test

#endif
