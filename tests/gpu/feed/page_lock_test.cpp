// Tests which input counts as page-locked. feeder_test.cpp tests that GPUs copy such input directly.
#include "gpu/feed/page_lock.hpp"

#include "core/input/input.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/provider.hpp"
#include "gpu/feed/locked_ranges.hpp"
#include "tests/catch.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::gpu_feed_page_lock_test {

TEST_CASE("page-locked ranges hold what lies in one of them", "[feed]") {
  gpu::locked_ranges ranges;
  const std::string memory(100, 'x');
  const byte_view all(memory);
  CHECK_FALSE(ranges.hold(all));
  ranges.add(all.sub(10, 20));
  ranges.add(all.sub(30, 20));
  CHECK(ranges.hold(all.sub(10, 20)));
  CHECK(ranges.hold(all.sub(15, 3)));
  CHECK(ranges.hold(all.sub(30, 20)));
  CHECK_FALSE(ranges.hold(all.sub(9, 2)));
  CHECK_FALSE(ranges.hold(all.sub(49, 2)));
  CHECK_FALSE(ranges.hold(all.sub(60, 1)));
  // One copy may not span two locked ranges, even if they touch.
  CHECK_FALSE(ranges.hold(all.sub(25, 10)));
}

TEST_CASE("page-locked ranges that were added twice are there until both are gone", "[feed]") {
  gpu::locked_ranges ranges;
  const std::string memory(100, 'x');
  ranges.add(memory);
  ranges.add(memory);
  ranges.remove(memory);
  CHECK(ranges.hold(memory));
  ranges.remove(memory);
  CHECK_FALSE(ranges.hold(memory));
  ranges.remove(memory);
  CHECK_FALSE(ranges.hold(memory));
}

TEST_CASE("page-locking without a GPU says why it does not, and changes nothing", "[feed]") {
  if (!gpu::discover().devices.empty()) return;
  const input text = text_input("some words");
  const gpu::page_lock locked(text);
  CHECK(locked.bytes() == 0);
  CHECK(locked.refusal() == gpu::discover().reason);
  CHECK_FALSE(gpu::is_page_locked(text));
}

TEST_CASE("an input is page-locked when all of it is that can be addressed", "[feed]") {
  std::vector<std::unique_ptr<source>> sources = text_input("some words").release();
  for (auto& one : text_input("more words").release()) sources.push_back(std::move(one));
  const input both(std::move(sources));
  auto& ranges = gpu::locked_ranges::of_this_process();
  CHECK_FALSE(gpu::is_page_locked(both));
  ranges.add(both[0].bytes());
  CHECK_FALSE(gpu::is_page_locked(both));
  CHECK_FALSE(gpu::provider().reads_in_place(both));
  ranges.add(both[1].bytes());
  CHECK(gpu::is_page_locked(both));
  CHECK(gpu::provider().reads_in_place(both));
  ranges.remove(both[0].bytes());
  ranges.remove(both[1].bytes());
  // An input without bytes has nothing to copy.
  CHECK_FALSE(gpu::is_page_locked(index_input(10)));
  CHECK_FALSE(gpu::is_page_locked(text_input("")));
}

}  // namespace duomap::test::gpu_feed_page_lock_test
