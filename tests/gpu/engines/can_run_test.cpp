// Tests which engines can run a task, and the engines' names.
#include "gpu/engines/can_run.hpp"

#include "core/engine_kind.hpp"
#include "core/record/strips.hpp"
#include "core/record/words.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <functional>

namespace duomap::test::gpu_engines_can_run_test {

using duomap::engine_kind;
using duomap::gpu::can_run;

namespace {

template <class Key, class Reduce>
struct tiny_task {
  using format = duomap::words;
  using key = Key;
  using reduce = Reduce;
  [[nodiscard]] static std::uint64_t key_count() { return 256; }
  void map(duomap::byte_view, auto&) const {}
};

/// Whether the answers of the dense, the hash and the sort engine are these three.
template <class Key, class Reduce>
constexpr bool runs_on(bool dense, bool hash_engine, bool sort) {
  using task = tiny_task<Key, Reduce>;
  return can_run<task>(engine_kind::dense) == dense && can_run<task>(engine_kind::hash) == hash_engine &&
         can_run<task>(engine_kind::sort) == sort;
}

using sum = duomap::sum<std::uint64_t>;
using first = duomap::keep_first<std::uint64_t>;
using collect = duomap::collect<std::uint64_t>;
using top_k = duomap::top_k<std::uint64_t, std::greater<std::uint64_t>>;
struct page {
  char bytes[4096];
};
using top_k_of_pages = duomap::top_k<page, bool (*)(const page&, const page&)>;
using slots = duomap::slots<sum, duomap::maximum<int>>;

static_assert(runs_on<duomap::byte_view, sum>(false, true, true));
static_assert(runs_on<std::uint32_t, sum>(false, true, true));
static_assert(runs_on<duomap::dense, sum>(true, false, true));
static_assert(runs_on<duomap::no_key, sum>(true, false, true));
// Only the sort engine keeps the order that a reduction of hashed keys needs if it does not commute.
static_assert(runs_on<duomap::byte_view, first>(false, false, true));
static_assert(runs_on<duomap::dense, first>(true, false, true));
static_assert(runs_on<duomap::no_key, first>(true, false, true));
static_assert(runs_on<duomap::byte_view, collect>(false, false, true));
static_assert(runs_on<duomap::no_key, top_k>(false, true, false));
static_assert(runs_on<duomap::dense, top_k>(false, true, false));
static_assert(runs_on<duomap::no_key, top_k_of_pages>(false, false, false));
static_assert(runs_on<duomap::no_key, slots>(true, false, false));

/// Dense keys, but the records are strips, which the dense engine cannot find.
struct bytes_of_strips : tiny_task<duomap::dense, sum> {
  using format = duomap::strips;
  void map(const duomap::strip&, auto&) const {}
};
static_assert(!can_run<bytes_of_strips>(engine_kind::dense) && can_run<bytes_of_strips>(engine_kind::sort));

}  // namespace

TEST_CASE("engines are called as --gpu-engine calls them", "[gpu]") {
  CHECK(name(engine_kind::custom) == "custom");
  CHECK(name(engine_kind::dense) == "dense");
  CHECK(name(engine_kind::hash) == "hash");
  CHECK(name(engine_kind::sort) == "sort");
}

}  // namespace duomap::test::gpu_engines_can_run_test
