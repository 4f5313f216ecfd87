// A map can end its run.
#include "core/early_stop.hpp"

#include "core/record/lines.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <atomic>
#include <cstdint>
#include <string>

namespace duomap::test::core_early_stop_test {
namespace {

/// Counts lines up to one that says stop.
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
      CHECK_THAT(stop.what(), contains("byte 6 of source 1"));
    }
    if (!torture) CHECK(mapped < count);
  }
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
