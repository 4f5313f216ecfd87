// Tests that every run and merge throws out_of_memory if memory ends while it keeps keys and values.
#include "core/partial/stored/stored_partial.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"
#include "scheduler/iterative/iterative_job.hpp"
#include "scheduler/map_partial.hpp"
#include "tests/catch.hpp"
#include "tests/support/memory_file.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test::facade_full_memory_test {
namespace {

const run_options on_cpu{.device = device_choice::cpu, .learn = false};

/// Fails as if memory ended when a key gets its second value.
struct holds_one {
  using value_type = std::uint64_t;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  value_type operator()(value_type, value_type) const { throw std::bad_alloc(); }
};

struct by_index {
  using format = index_range;
  using key = std::uint64_t;
  using reduce = holds_one;
  std::uint64_t keys = 1;
  void map(std::uint64_t index, auto& emit) const { emit(index % keys, index); }
};

struct of_entries {
  using format = entries_for<by_index>;
  using key = std::uint64_t;
  using reduce = holds_one;
  void map(const entry<std::uint64_t, std::uint64_t>& one, auto& emit) const { emit(0, one.value); }
};

TEST_CASE("memory ends in a run, in a chained one, and in a step of an iterative job") {
  const auto pool = cpu::machine_pool(1, index_input(4));
  CHECK_THROWS_AS(run(by_index{}, index_input(4), *pool, on_cpu), out_of_memory);
  const auto apart = run(by_index{4}, index_input(4), *pool, on_cpu);
  CHECK_THROWS_AS(run(of_entries{}, entries_of(apart), *pool, on_cpu), out_of_memory);
  const input indices = index_input(4);
  iterative_job job(by_index{4}, indices, *pool, {.device = device_choice::cpu});
  CHECK_THROWS_AS(job.step(by_index{}), out_of_memory);
  CHECK_THROWS_AS(job.pass(by_index{4}, by_index{}), out_of_memory);
  CHECK_THROWS_AS(job.place(by_index{4}, [](const auto&) { throw std::bad_alloc(); }), out_of_memory);
  CHECK(job.step(by_index{4}).size() == 4);
}

TEST_CASE("memory ends in a part of a run, and where parts are merged, also stored ones") {
  const auto pool = cpu::machine_pool(1, index_input(4));
  const input whole = index_input(4);
  const auto part = [&](const by_index& task, std::uint64_t begin, std::uint64_t end) {
    return map_partial(task, whole, std::vector<input_slice>{{0, begin, end}}, *pool, on_cpu);
  };
  CHECK_THROWS_AS(part(by_index{}, 0, 2), out_of_memory);
  // Each of the two parts has both keys, 0 and 1.
  const by_index two{2};
  auto first = part(two, 0, 2), second = part(two, 2, 4);
  std::vector<std::string> files;
  std::vector<std::shared_ptr<const partial_reader>> readers;
  for (const auto* one : {&first, &second}) {
    files.push_back(written([&](byte_sink& to) { write_partial(to, two, *one, {"test"}); }));
  }
  for (const std::string& file : files)
    readers.push_back(std::make_shared<partial_reader>(std::string_view(file), "part"));
  CHECK_THROWS_AS(merge_into(first, std::move(second), two, *pool), out_of_memory);
  const auto selected = select_partials(readers, two, {"test"});
  CHECK_THROWS_AS(read_partials(selected, two, *pool), out_of_memory);
}

}  // namespace
}  // namespace duomap::test::facade_full_memory_test
