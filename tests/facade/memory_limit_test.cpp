// Tests each kind of container under each memory limit: it gives the right rows, or throws memory_exceeded.
#include "core/partial/stored/stored_partial.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"
#include "scheduler/map_partial.hpp"
#include "tests/catch.hpp"
#include "tests/support/memory_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::test::facade_memory_limit_test {
namespace {

constexpr std::uint64_t indices = torture ? 2000 : 60'000;

/// The base of all tasks here: two indices share each key.
struct of_index {
  using format = index_range;
  [[nodiscard]] static constexpr std::uint64_t key_of(std::uint64_t index) { return index * 7 % indices / 2; }
};

struct hashed_sums : of_index {
  using key = std::uint64_t;
  using reduce = sum<std::uint64_t>;
  void map(std::uint64_t index, auto& emit) const { emit(key_of(index), index); }
};

/// Long keys, which an arena keeps.
struct long_keys : of_index {
  using key = byte_view;
  using reduce = sum<std::uint64_t>;
  void map(std::uint64_t index, auto& emit) const {
    const std::array<std::uint64_t, 5> bytes{key_of(index), 1, 2, 3, 4};
    emit(byte_view(reinterpret_cast<const char*>(bytes.data()), sizeof bytes), index);
  }
};

struct dense_sums : of_index {
  using key = dense;
  using reduce = sum<std::uint64_t>;
  [[nodiscard]] std::uint64_t key_count() const { return indices; }
  void map(std::uint64_t index, auto& emit) const { emit(key_of(index), index); }
};

struct best_of_keys : of_index {
  using key = dense;
  using reduce = top_k<std::uint64_t, std::greater<>>;
  [[nodiscard]] reduce reduction() const { return {.k = 3}; }
  [[nodiscard]] std::uint64_t key_count() const { return indices; }
  void map(std::uint64_t index, auto& emit) const { emit(key_of(index), index); }
};

struct best_of_all : of_index {
  using key = no_key;
  using reduce = top_k<std::uint64_t, std::greater<>>;
  [[nodiscard]] reduce reduction() const { return {.k = indices}; }
  void map(std::uint64_t index, auto& emit) const { emit(index); }
};

/// The last value wins, so the order of the input matters.
struct last_of {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  value_type operator()(value_type, value_type other) const { return other; }
};

struct last_values : of_index {
  using key = std::uint64_t;
  using reduce = last_of;
  void map(std::uint64_t index, auto& emit) const { emit(key_of(index), index); }
};

struct last_dense_values : of_index {
  using key = dense;
  using reduce = last_of;
  [[nodiscard]] std::uint64_t key_count() const { return indices; }
  void map(std::uint64_t index, auto& emit) const { emit(key_of(index), index); }
};

template <bool Grouped>
struct collected : of_index {
  using key = std::uint64_t;
  using reduce = collect<byte_view>;
  [[nodiscard]] reduce reduction() const { return {.grouped = Grouped}; }
  void map(std::uint64_t index, auto& emit) const {
    const std::array<std::uint64_t, 3> bytes{index, 1, 2};
    emit(key_of(index), byte_view(reinterpret_cast<const char*>(bytes.data()), sizeof bytes));
  }
};

template <class T>
std::string bytes_of(const T& one) {
  if constexpr (std::is_same_v<T, byte_view>) {
    return std::string(one.text());
  } else if constexpr (requires { one.begin(); }) {
    std::string all;
    for (const auto& each : one) all += bytes_of(each);
    return all;
  } else {
    return {reinterpret_cast<const char*>(&one), sizeof one};
  }
}

/// The rows of a result; sorted if the keys are hashed.
template <class Task>
std::vector<std::string> rows_of(const result_for<Task>& result) {
  std::vector<std::string> rows;
  result.for_each(
      [&](const auto& key, const auto& value) { rows.push_back(bytes_of(key) + bytes_of(value)); });
  if constexpr (!detail::is_collect<typename Task::reduce>) std::sort(rows.begin(), rows.end());
  return rows;
}

/// Calls within(bytes) with growing memory until it gives the expected rows. Returns whether it failed
/// before.
template <class Within>
bool fails_then_succeeds(const std::vector<std::string>& expected, const Within& within) {
  bool failed = false;
  for (std::uint64_t bytes = 1000;; bytes += bytes / 2) {
    try {
      const bool same = within(bytes) == expected;
      CHECK(same);
      return failed;
    } catch (const memory_exceeded& problem) {
      failed = true;
      CHECK_THAT(problem.what(),
                 contains(std::to_string(bytes) + " bytes of memory") && contains("--memory"));
    }
  }
}

const run_options on_cpu{.device = device_choice::cpu, .learn = false};

run_options with_memory(std::uint64_t bytes) {
  run_options options = on_cpu;
  options.memory = bytes;
  return options;
}

TEMPLATE_TEST_CASE("memory limit: a run of each kind of container", "", hashed_sums, long_keys, dense_sums,
                   best_of_keys, best_of_all, last_values, last_dense_values, collected<false>,
                   collected<true>) {
  const input from = index_input(indices);
  for (const unsigned workers : {1U, 3U}) {
    cpu::tbb_pool pool(workers);
    const TestType task;
    const auto expected = rows_of<TestType>(run(task, from, pool, on_cpu));
    CHECK(fails_then_succeeds(expected, [&](std::uint64_t bytes) {
      return rows_of<TestType>(run(task, from, pool, with_memory(bytes)));
    }));
  }
}

TEMPLATE_TEST_CASE("memory limit: the merge of stored partials", "", hashed_sums, long_keys, last_values,
                   collected<false>, collected<true>) {
  const input whole = index_input(indices);
  cpu::tbb_pool pool(2);
  const TestType task;
  const auto expected = rows_of<TestType>(run(task, whole, pool, on_cpu));
  std::vector<std::string> files;
  for (const std::uint64_t begin : {std::uint64_t{0}, indices / 2}) {
    const auto found =
        map_partial(task, whole, std::vector<input_slice>{{0, begin, begin + indices / 2}}, pool, on_cpu);
    files.push_back(written([&](byte_sink& to) { write_partial(to, task, found, {"test"}); }));
  }
  const auto merged = [&](std::uint64_t bytes) {
    std::vector<std::shared_ptr<const partial_reader>> readers;
    for (const std::string& file : files)
      readers.push_back(std::make_shared<partial_reader>(std::string_view(file), "part"));
    const auto partials = select_partials(readers, task, {"test"});
    auto all = read_partials(partials, task, pool, std::make_shared<memory_budget>(bytes));
    return rows_of<TestType>(finish(task, std::move(all), pool));
  };
  CHECK(fails_then_succeeds(expected, merged));
}

struct of_entries {
  using format = entries_for<hashed_sums>;
  using key = std::uint64_t;
  using reduce = sum<std::uint64_t>;
  void map(const entry<std::uint64_t, std::uint64_t>& one, auto& emit) const { emit(one.key, one.value); }
};

TEST_CASE("memory limit: a chained run") {
  cpu::tbb_pool pool(2);
  const auto first = run(hashed_sums{}, index_input(indices), pool, on_cpu);
  const auto expected = rows_of<of_entries>(run(of_entries{}, entries_of(first), pool, on_cpu));
  CHECK(fails_then_succeeds(expected, [&](std::uint64_t bytes) {
    return rows_of<of_entries>(run(of_entries{}, entries_of(first), pool, with_memory(bytes)));
  }));
}

TEST_CASE("memory limit: rows of a result, and their order") {
  cpu::tbb_pool pool(2);
  const input from = index_input(indices);
  // The last limit is little more than the result takes, so there is no room for a copy of its rows.
  for (std::uint64_t bytes = 1000;; bytes += bytes / 8) {
    try {
      const auto result = run(hashed_sums{}, from, pool, with_memory(bytes));
      const auto rows = result.rows().size();
      CHECK(rows == result.size());
      CHECK(result.sorted(by_key, pool).size() == rows);
      CHECK(result.top(3, by_value).size() == 3);
      break;
    } catch (const memory_exceeded&) {
    }
  }
  const auto result = run(hashed_sums{}, from, pool, on_cpu);
  const auto copy = result;
  CHECK(rows_of<hashed_sums>(copy) == rows_of<hashed_sums>(result));
}

TEST_CASE("memory limit: a run takes as much as it says in any order, and gives all of it back") {
  cpu::tbb_pool pool(3);
  const auto budget = std::make_shared<memory_budget>(~std::uint64_t{0});
  {
    cpu::cpu_backend<long_keys> backend(long_keys{}, pool, budget);
    backend.submit(0, {.size = indices});
    backend.submit(1, {.size = indices, .offset = 7});
    // A table of 30,000 keys has at least 65,536 slots.
    CHECK(budget->taken() >= (torture ? 1000 : 65'536) * sizeof(keyed_entry<std::uint64_t>));
    auto partials = backend.release_partials(pool);
    CHECK(budget->taken() > 0);
  }
  CHECK(budget->taken() == 0);
}

}  // namespace
}  // namespace duomap::test::facade_memory_limit_test
