// Tests the comparison of the CPU's rows with those of a device, here a stub.
#include "apps/cli/same_on_devices.hpp"

#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/support/stub_kind.hpp"

#include <cstdint>
#include <string>

namespace duomap::test::apps_cli_same_on_devices_test {
namespace {

/// Sums the sizes of lines by their first letter. On the stub each line counts `wrong` more.
template <class Value>
struct sums_of_lines {
  using format = lines;
  using key = byte_view;
  using reduce = sum<Value>;
  Value wrong = 0;
  bool on_stub = false;
  void map(const line& one, auto& emit) const {
    if (one.text.size > 1)
      emit(one.text.sub(0, 1), static_cast<Value>(one.text.size) + (on_stub ? wrong : Value{}));
  }
};

struct offsets {
  using format = lines;
  using key = no_key;
  using reduce = collect<std::uint64_t>;
  bool late = false;
  bool on_stub = false;
  void map(const line& one, auto& emit) const {
    if (!late || !on_stub || one.offset > 0) emit(one.offset);
  }
};

using counts = sums_of_lines<std::uint64_t>;
using rounded = sums_of_lines<double>;
using kinds = executor_kinds<cpu::kind, stub_kind<counts, rounded, offsets>>;

template <class Task>
std::optional<law_check> compared(const Task& task, const std::string& text) {
  const input from = text_input(text, "some lines");
  const auto pool = cpu::machine_pool(1, from);
  return apps::same_on_devices<kinds>(task, from, *pool);
}

TEST_CASE("same_on_devices: rows are the same, or the first that is not is shown", "[task_main]") {
  const auto good = compared(counts{}, "abc\nb1\nab\n");
  REQUIRE(good);
  CHECK(good->holds());
  CHECK(good->trials == 2);

  const auto bad = compared(counts{.wrong = 1}, "abc\nb1\nab\n");
  REQUIRE(bad);
  CHECK(bad->counterexample ==
        "row 1 of the first records of some lines: (\"a\", 5) on the CPU, (\"a\", 7) on the GPU");
}

TEST_CASE("same_on_devices: the last digits of floating point may differ", "[task_main]") {
  CHECK(compared(rounded{.wrong = 1e-7}, "abc\nb1\n")->holds());
  CHECK_FALSE(compared(rounded{.wrong = 0.5}, "abc\nb1\n")->holds());
}

TEST_CASE("same_on_devices: collected rows in order, and one that is missing", "[task_main]") {
  CHECK(compared(offsets{}, "a\nb\n")->holds());
  CHECK_THAT(compared(offsets{.late = true}, "a\nb\n")->counterexample,
             contains("(0) on the CPU, (2) on the GPU"));
}

TEST_CASE("same_on_devices: no more than the beginning of a long input", "[task_main]") {
  std::string text;
  for (int i = 0; i < 400'000; ++i) text += std::to_string(i) + "\n";
  const auto check = compared(offsets{}, text);
  REQUIRE(check);
  CHECK(check->holds());
  CHECK(check->trials < 400'000);
  CHECK(check->trials > 100'000);
}

TEST_CASE("same_on_devices: nothing without a device that can run the task", "[task_main]") {
  const input from = text_input("ab\n");
  const auto pool = cpu::machine_pool(1, from);
  CHECK_FALSE(apps::same_on_devices<executor_kinds<cpu::kind>>(counts{}, from, *pool));
  CHECK_FALSE(apps::same_on_devices<executor_kinds<cpu::kind, stub_kind<>>>(counts{}, from, *pool));
}

}  // namespace
}  // namespace duomap::test::apps_cli_same_on_devices_test
