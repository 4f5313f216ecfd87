// Tests that the merge of collected emits restores the order of the input.
#include "core/hash.hpp"
#include "core/partial/all.hpp"
#include "core/worker_pool.hpp"
#include "tests/catch.hpp"
#include "tests/core/partial/partial_tasks.hpp"
#include "tests/support/threaded_pool.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::core_partial_merged_partials_test {
namespace {

/// Emits in the order of the input, and the same emits as runs in partials, which scatter() fills at random.
struct scattered_runs {
  std::vector<std::pair<std::string, std::uint64_t>> emits;
  std::vector<collected_partial<sequence>> parts;
};

scattered_runs scatter(std::mt19937& random, std::size_t parts) {
  scattered_runs made;
  made.parts.resize(parts);
  std::vector<std::shared_ptr<key_arena>> arenas;
  for (std::size_t i = 0; i < parts; ++i) arenas.push_back(std::make_shared<key_arena>());
  std::uint64_t number = 0;
  for (std::uint32_t source = 0; source < 4; ++source) {
    for (std::uint64_t offset = 0; offset < 20'000'000'000; offset += 1 + random() % 3'000'000'000) {
      const std::size_t part = random() % parts;
      emit_run<sequence> run{source, offset, {}};
      for (std::uint64_t i = random() % 30; i > 0; --i) {
        std::string key = some_key(random, 50);
        run.entries.push_back({key_of(key, *arenas[part]), sequence_of(number)});
        made.emits.emplace_back(std::move(key), number++);
      }
      made.parts[part].runs.push_back(std::move(run));
    }
  }
  for (std::size_t i = 0; i < parts; ++i) {
    std::shuffle(made.parts[i].runs.begin(), made.parts[i].runs.end(), random);
    made.parts[i].arenas.push_back(arenas[i]);
  }
  return made;
}

}  // namespace

TEST_CASE("collected runs are put in input order", "[partial]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  sequential pool;
  const task_of<byte_view, in_order> task;
  for (const std::size_t parts : {1U, 2U, 5U}) {
    scattered_runs scattered = scatter(random, parts);
    const auto merged = merge_partials(std::move(scattered.parts), task, pool);
    CHECK(merged.arenas.size() == parts);
    std::vector<std::pair<std::string, sequence>> found;
    for (const auto& run : merged.runs) {
      for (const auto& entry : run.entries) found.emplace_back(entry.key.bytes().text(), entry.value);
    }
    std::vector<std::pair<std::string, sequence>> expected;
    for (const auto& [key, number] : scattered.emits) expected.emplace_back(key, sequence_of(number));
    CHECK((found == expected));
  }
  CHECK(merge_partials(std::vector<collected_partial<sequence>>(3), task, pool).runs.empty());
}

TEST_CASE("a reduction that does not commute is folded in input order", "[partial]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const task_of<byte_view, in_order> task;
  for (const unsigned workers : {1U, 2U, 3U, 16U, 20U}) {
    CAPTURE(workers);
    test::threaded_pool pool(workers);
    scattered_runs scattered = scatter(random, 3);
    std::map<std::string, sequence> expected;
    for (const auto& [key, number] : scattered.emits) {
      const auto [place, is_new] = expected.emplace(key, sequence_of(number));
      if (!is_new) place->second = in_order{}(place->second, sequence_of(number));
    }
    const auto folded =
        fold_in_order(merge_partials(std::move(scattered.parts), task, pool), in_order{}, pool);
    CHECK((contents(folded) == expected));
    CHECK(folded.arenas.size() == 3);
  }
}

TEST_CASE("runs give the entries of each partition in their order", "[partial]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  key_arena arena;
  threaded_pool pool(3);
  std::vector<emit_list<std::uint64_t>> runs;
  std::vector<std::array<std::vector<std::uint64_t>, partition_count>> expected;
  const auto partition = [](const auto& entry) {
    return partition_of(entry.key.hash());
  };
  // A large run is counted in blocks. Each block may be in order although the run is not.
  for (const std::uint64_t count : {0U, 1U, 3U, 5000U, 100'000U}) {
    for (const unsigned order : {0U, 1U, 2U}) {
      emit_list<std::uint64_t> entries;
      for (std::uint64_t i = 0; i < count; ++i) entries.push_back({key_of(some_key(random, 300), arena), i});
      if (order > 0) std::ranges::stable_sort(entries, {}, partition);
      const std::uint64_t block = std::uint64_t{1} << 15;
      if (order > 1)
        std::rotate(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(count / block * block),
                    entries.end());
      expected.emplace_back();
      for (const auto& entry : entries) expected.back()[partition(entry)].push_back(entry.value);
      runs.push_back(std::move(entries));
    }
  }
  const auto found = partitioned_run<std::uint64_t>::all_of(std::move(runs), pool);
  REQUIRE(found.size() == expected.size());
  for (std::size_t run = 0; run < found.size(); ++run) {
    CAPTURE(run);
    for (unsigned p = 0; p < partition_count; ++p) {
      std::vector<std::uint64_t> values;
      for (const auto& entry : found[run].of(p)) values.push_back(entry.value);
      CHECK(values == expected[run][p]);
    }
  }
}

}  // namespace duomap::test::core_partial_merged_partials_test
