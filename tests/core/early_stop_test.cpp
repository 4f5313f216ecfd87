// Tests that a map can end its run.
#include "core/early_stop.hpp"

#include "core/record/lines.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "scheduler/iterative/iterative_job.hpp"
#include "scheduler/map_partial.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace duomap::test::core_early_stop_test {
namespace {

/// Counts lines, and stops the run at the line "stop".
struct lines_until_stop {
  using format = lines;
  using key = no_key;
  using reduce = sum<std::uint64_t>;

  std::atomic<std::uint64_t>* mapped;
  early_stop stop = {};

  void map(const line& one, auto& emit) const {
    mapped->fetch_add(1, std::memory_order_relaxed);
    if (one.text.text() == "stop") stop(one.source, one.offset, one.text);
    emit(1);
  }
};

static_assert(may_stop<lines_until_stop>);

TEST_CASE("early stop: a record ends the run, and what comes behind it is left alone") {
  constexpr std::uint64_t count = torture ? 3000 : 2'000'000;
  std::string text = "first\nstop\n";
  for (std::uint64_t i = 0; i < count; ++i) text += "line\n";
  for (const layout form : {layout::addressable, layout::streamed}) {
    const input from = make_input({"text", {"before\n", text}}, form);
    cpu::tbb_pool pool(2);
    std::atomic<std::uint64_t> mapped{0};
    try {
      static_cast<void>(run(lines_until_stop{&mapped}, from, pool, {.device = device_choice::cpu}));
      FAIL("the run went on");
    } catch (const stopped_by_map& stop) {
      CHECK(stop.source() == 1);
      CHECK(stop.offset() == 6);
      CHECK(stop.text() == "stop");
      CHECK(std::string(stop.what()) == "map stopped the run at byte 6 of 'text 1'");
    }
    if (!torture) CHECK(mapped < count);
  }
}

/// The message gives the place in the whole input, although only a part of it is mapped.
TEST_CASE("early stop: the message of a mapped part names the file", "[early_stop]") {
  cpu::tbb_pool pool(2);
  std::atomic<std::uint64_t> mapped{0};
  const input from = make_input({"text", {"before\n", "first\nstop\n"}}, layout::addressable);
  const std::vector<input_slice> second{{1, 0, 11}};
  CHECK_THROWS_WITH(
      map_partial(lines_until_stop{&mapped}, from, second, pool, {.device = device_choice::cpu}),
      "map stopped the run at byte 6 of 'text 1'");
}

struct numbers_until_stop {
  using format = rows<std::uint32_t>;
  using key = no_key;
  using reduce = sum<std::uint64_t>;

  early_stop stop = {};

  [[nodiscard]] format records() const { return {.width = 1}; }
  void map(const row<std::uint32_t>& one, auto& emit) const {
    if (one.index == 2) stop(0, 4 * one.index, {});
    emit(1);
  }
};

TEST_CASE("early stop: the message of an iterative job names the file", "[early_stop]") {
  const std::vector<std::uint32_t> numbers(64);
  const input from = view_input(byte_view(reinterpret_cast<const char*>(numbers.data()), 4 * 64), "rows.bin");
  iterative_job job(numbers_until_stop{}, from, {.device = device_choice::cpu});
  CHECK_THROWS_WITH(job.step(numbers_until_stop{}), "map stopped the run at byte 8 of 'rows.bin'");
}

TEST_CASE("early stop: a run whose map does not ask for it goes on") {
  cpu::tbb_pool pool(2);
  std::atomic<std::uint64_t> mapped{0};
  const auto found =
      run(lines_until_stop{&mapped}, text_input("a\nb\nc"), pool, {.device = device_choice::cpu});
  CHECK(found[0] == 3);
  CHECK(mapped == 3);
}

}  // namespace
}  // namespace duomap::test::core_early_stop_test
