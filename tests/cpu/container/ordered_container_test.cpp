// Tests the container of reductions that do not commute.
#include "cpu/container/ordered_container.hpp"

#include "core/chunk.hpp"
#include "core/record/words.hpp"
#include "core/reduce.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test::cpu_container_ordered_container_test {

namespace {

struct first_places {
  using format = words;
  using key = byte_view;
  using reduce = keep_first<std::uint64_t>;
  DUOMAP_HD void map(byte_view word, auto& emit) const { emit(word, 1); }
};

}  // namespace

TEST_CASE("chunks without a gap between them leave one run", "[ordered_container]") {
  cpu::ordered_container<first_places> container(first_places{});
  const std::string bytes(100 + read_padding, ' ');
  const auto fill = [&](std::uint32_t source, std::uint64_t offset, std::uint64_t size,
                        std::string_view key) {
    const chunk part{bytes.data(), size, offset, source};
    container.fill(part, [&](auto& emit) {
      if (!key.empty()) emit(byte_view(key.data(), key.size()), offset);
    });
  };
  fill(0, 0, 10, "a");
  fill(0, 10, 10, "b");
  fill(0, 20, 10, "a");
  fill(0, 30, 10, {});
  fill(0, 50, 10, "a");  // after a gap
  fill(1, 60, 10, "a");  // from another source
  fill(1, 20, 10, {});
  fill(1, 30, 10, "b");
  fill(1, 0, 10, "c");  // before the other chunks
  const auto kept = container.take();
  std::vector<std::string> runs;
  for (const auto& run : kept.runs) {
    std::uint64_t sum = 0;
    for (const auto& entry : run.entries) sum += entry.value;
    runs.push_back(std::to_string(run.source) + " at " + std::to_string(run.offset) + ": " +
                   std::to_string(run.entries.size()) + " keys, " + std::to_string(sum));
  }
  CHECK(runs == std::vector<std::string>{"0 at 0: 2 keys, 10", "0 at 50: 1 keys, 50", "1 at 60: 1 keys, 60",
                                         "1 at 30: 1 keys, 30", "1 at 0: 1 keys, 0"});
}

}  // namespace duomap::test::cpu_container_ordered_container_test
