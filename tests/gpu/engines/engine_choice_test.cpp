// Tests which engine is chosen for each kind of task, and why, without a GPU.
#include "gpu/engines/engine_choice.hpp"

#include "core/error.hpp"
#include "core/record/words.hpp"
#include "tests/catch.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap::gpu::gpu_engines_engine_choice_test {
namespace {

constexpr auto all_engines = {engine_kind::dense, engine_kind::hash, engine_kind::sort};

template <class Key, class Reduce>
struct chosen_task {
  using format = words;
  using key = Key;
  using reduce = Reduce;
  [[nodiscard]] static std::uint64_t key_count() { return 256; }
  void map(byte_view, auto&) const {}
};

struct whole_chunks {
  using format = words;
  using key = no_key;
  using reduce = slots<>;
  void map_chunk(const chunk&, auto&) const {}
};

}  // namespace
}  // namespace duomap::gpu::gpu_engines_engine_choice_test

template <>
inline constexpr bool
    duomap::gpu::has_custom_engine<duomap::gpu::gpu_engines_engine_choice_test::whole_chunks> = true;

namespace duomap::gpu::gpu_engines_engine_choice_test {

TEST_CASE("engine choice: a task that brings an engine runs by it and no other", "[gpu]") {
  const task_kind task = kind_of<whole_chunks>();
  CHECK(task.engines == std::vector{engine_kind::custom});
  CHECK(choose_engine(task, std::nullopt).reason == "because the task maps whole chunks");
  CHECK_THROWS_WITH(choose_engine(task, engine_kind::dense),
                    "the engine dense cannot run this task; custom can");
}

TEST_CASE("engine choice: only the hash engine of tasks with keys has tables in blocks", "[gpu]") {
  const task_kind hashed{.engines = {engine_kind::hash, engine_kind::sort}};
  CHECK_NOTHROW(require_block_tables(hashed, std::nullopt));
  CHECK_NOTHROW(require_block_tables(hashed, engine_kind::hash));
  CHECK_THROWS_AS(require_block_tables(hashed, engine_kind::sort), usage_error);
  const task_kind best{.engines = {engine_kind::hash}, .keeps_best = true};
  CHECK_THROWS_WITH(require_block_tables(best, std::nullopt),
                    "block tables are those of the hash engine and of tasks with keys");
  const task_kind known{.engines = {engine_kind::dense, engine_kind::sort}, .has_known_keys = true};
  CHECK_THROWS_WITH(require_block_tables(known, std::nullopt),
                    "the engine hash cannot run this task; dense and sort can");
}

TEST_CASE("engine choice: the fewest passes that a task allows", "[gpu]") {
  const task_kind known{.engines = {engine_kind::dense, engine_kind::sort}, .has_known_keys = true};
  CHECK(choose_engine(known, std::nullopt).kind == engine_kind::dense);
  CHECK(choose_engine(known, std::nullopt).reason == "because its keys are known beforehand");

  const task_kind hashed{.engines = {engine_kind::hash, engine_kind::sort}};
  CHECK(choose_engine(hashed, std::nullopt).kind == engine_kind::hash);
  CHECK(choose_engine(hashed, std::nullopt).reason == "because values of a key may be reduced in any order");

  const task_kind best{.engines = {engine_kind::hash}, .keeps_best = true};
  CHECK(choose_engine(best, std::nullopt).reason == "because only the best values are kept");

  const task_kind collected{.engines = {engine_kind::sort}, .keeps_values = true};
  CHECK(choose_engine(collected, std::nullopt).kind == engine_kind::sort);
  CHECK(choose_engine(collected, std::nullopt).reason == "because all values are kept");

  const task_kind ordered{.engines = {engine_kind::sort}, .in_order = true};
  CHECK(choose_engine(ordered, std::nullopt).reason ==
        "because values of a key meet in the order of the input");
}

TEST_CASE("engine choice: what is asked for runs, or is an error that names what can", "[gpu]") {
  const task_kind hashed{.engines = {engine_kind::hash, engine_kind::sort}};
  CHECK(choose_engine(hashed, engine_kind::sort).kind == engine_kind::sort);
  CHECK(choose_engine(hashed, engine_kind::sort).reason == "because it was asked for");
  CHECK_THROWS_AS(choose_engine(hashed, engine_kind::dense), usage_error);
  CHECK_THROWS_WITH(choose_engine(hashed, engine_kind::dense),
                    "the engine dense cannot run this task; hash and sort can");
  CHECK_THROWS_WITH(require_engine(engine_kind::sort, task_kind{.engines = {engine_kind::dense}}),
                    "the engine sort cannot run this task; dense can");
  CHECK_THROWS_AS(choose_engine(task_kind{}, std::nullopt), usage_error);
  CHECK_THROWS_WITH(choose_engine(task_kind{}, engine_kind::sort),
                    test::contains("no GPU engine can, it runs on the CPU"));
  CHECK(list_of({all_engines}) == "dense, hash and sort");
  CHECK(list_of({engine_kind::sort}) == "sort");
}

TEST_CASE("engine choice: a task's kind names the engines that can run it", "[gpu]") {
  const task_kind counts = kind_of<chosen_task<byte_view, sum<std::uint64_t>>>();
  CHECK_FALSE(counts.has_known_keys);
  CHECK_FALSE(counts.in_order);
  CHECK(choose_engine(counts, std::nullopt).kind == engine_kind::hash);
  const task_kind first = kind_of<chosen_task<byte_view, keep_first<int>>>();
  CHECK(first.in_order);
  const task_kind best = kind_of<chosen_task<no_key, top_k<int, std::greater<int>>>>();
  CHECK(best.has_known_keys);
  CHECK(best.keeps_best);
  CHECK(choose_engine(best, std::nullopt).kind == engine_kind::hash);
  CHECK(kind_of<chosen_task<byte_view, collect<int>>>().keeps_values);
  using task = chosen_task<byte_view, sum<std::uint64_t>>;
  for (const engine_kind one : all_engines) {
    bool named = false;
    for (const engine_kind can : counts.engines) named = named || can == one;
    CHECK(named == can_run<task>(one));
  }
}

}  // namespace duomap::gpu::gpu_engines_engine_choice_test
