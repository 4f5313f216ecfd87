// Tests block_readers: threads that read blocks of streams before workers ask for them.
#include "scheduler/dispatch/block_readers.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <atomic>
#include <barrier>
#include <cstdint>
#include <optional>
#include <set>
#include <thread>

namespace duomap::test::scheduler_block_readers_test {
namespace {

using scheduler::block_readers;

/// A read call that gives blocks of source 7, with offsets from 0 to count - 1.
block_readers::read_call numbered(std::uint64_t count, std::atomic<std::uint64_t>& next) {
  return [count, &next](block& into) -> std::optional<std::uint32_t> {
    const std::uint64_t number = next.fetch_add(1);
    if (number >= count) return std::nullopt;
    into.clear();
    into.set_offset(number);
    return 7;
  };
}

}  // namespace

TEST_CASE("block readers: every block is given once, and then nothing", "[block_readers]") {
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::atomic<std::uint64_t> next = 0;
    block_readers readers(threads, numbered(100, next));
    std::set<std::uint64_t> seen;
    block mine;
    while (const auto source = readers.take(mine, true)) {
      CHECK(source == 7U);
      CHECK(seen.insert(mine.offset()).second);
    }
    CHECK(seen.size() == 100);
    CHECK_FALSE(readers.take(mine, true));
  }
}

TEST_CASE("block readers: several threads read at once", "[block_readers]") {
  std::barrier all_read(3);
  std::atomic<unsigned> begun = 0;
  block_readers readers(3, [&](block&) -> std::optional<std::uint32_t> {
    if (begun.fetch_add(1) >= 3) return std::nullopt;
    all_read.arrive_and_wait();  // passes only once three threads wait here
    return 1;
  });
  block mine;
  for (int i = 0; i < 3; ++i) CHECK(readers.take(mine, true) == 1U);
  CHECK_FALSE(readers.take(mine, true));
}

TEST_CASE("block readers: no more is read ahead than a few blocks", "[block_readers]") {
  std::atomic<std::uint64_t> next = 0;
  block_readers readers(2, numbered(1000, next));
  block mine;
  REQUIRE(readers.take(mine, true));
  // One block was taken. With two threads, at most five more blocks are ready or being read.
  for (int look = 0; look < 1000; ++look) {
    std::this_thread::yield();
    REQUIRE(next <= 6);
  }
}

TEST_CASE("block readers: what reading throws comes out of taking, and ends the others", "[block_readers]") {
  for (int round = 0; round < 20; ++round) {
    std::atomic<unsigned> calls = 0;
    block_readers readers(3, [&](block&) -> std::optional<std::uint32_t> {
      if (calls.fetch_add(1) == 4) throw input_error("damaged");
      return 1;
    });
    block mine;
    CHECK_THROWS_AS(
        [&] {
          while (readers.take(mine, true)) {
          }
        }(),
        input_error);
    CHECK_THROWS_AS(readers.take(mine, false), input_error);
  }
}

TEST_CASE("block readers: stopping frees those that wait", "[block_readers]") {
  std::atomic<bool> released = false;
  block_readers readers(1, [&](block&) -> std::optional<std::uint32_t> {
    released.wait(false);
    return std::nullopt;
  });
  std::jthread waiting([&] {
    block mine;
    static_cast<void>(readers.take(mine, true));
  });
  readers.stop();
  waiting.join();
  released = true;
  released.notify_all();
}

}  // namespace duomap::test::scheduler_block_readers_test
