// Tests scheduler/dispatch/chunk_source.cpp: how it cuts inputs of few records into chunks.
#include "core/boundary.hpp"
#include "core/input/input.hpp"
#include "core/record/index_range.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/scheduler/support.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

namespace duomap::test::scheduler_chunks_of_few_records_test {

using scheduler::chunk_source;

TEST_CASE("a small input has so many grains as are wanted, and none is empty", "[work]") {
  const auto grains_of = [](const input& from, const boundary& records, std::uint32_t least) {
    return chunk_source(from, records, {.least_grains = least}, nullptr).grains();
  };
  const std::uint64_t grain = index_range{}.grain();
  const format_boundary<index_range> indices{index_range{}};
  CHECK(grains_of(index_input(10 * grain), indices, 1) == 10);
  CHECK(grains_of(index_input(10 * grain), indices, 5) == 10);
  CHECK(grains_of(index_input(10 * grain), indices, 20) == 20);
  CHECK(grains_of(index_input(7), indices, 64) == 7);
  CHECK(grains_of(index_input(0), indices, 64) == 0);
  source_set both;
  both.add_memory(std::string(6400, 'x'));
  both.add_stream(std::string(6400, 'x'));
  CHECK(grains_of(both.take(), space_boundary(1000), 64) == 64);
}

TEST_CASE("blocks of a stream grow while they take no time, and stay small while they do", "[work]") {
  for (const bool slow : {false, true}) {
    source_set sources;
    sources.add_stream(std::string(1000, ' '));
    const input from = sources.take();
    const space_boundary records(4);
    chunk_source all(from, records, {.block_bytes = 128, .first_block_bytes = 8}, nullptr);
    chunk_source::taker mine;
    std::uint64_t bytes = 0;
    std::uint64_t largest = 0;
    while (const auto part = all.next_block(mine, true)) {
      bytes += part->size;
      largest = std::max(largest, part->size);
      if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    CHECK(bytes == 1000);
    if (slow) CHECK(largest == 8);
    CHECK(largest <= 128);
  }
}

}  // namespace duomap::test::scheduler_chunks_of_few_records_test
