// Tests gpu/feed/staging.cpp when the system starts no thread.
#include "core/error.hpp"
#include "gpu/feed/staging.hpp"
#include "tests/catch.hpp"
#include "tests/support/no_more_threads.hpp"
#include "tests/support/own_process.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap::test::gpu_feed_staging_without_threads_test {
namespace {

class no_device final : public gpu::staging_target {
 public:
  void enter_thread() override {}
  std::unique_ptr<gpu::staging_buffer> make_buffer(std::uint64_t) override { return nullptr; }
};

}  // namespace

TEST_CASE("own process: staging without a thread", "[.][own-process]") {
  no_device target;
  gpu::staging staging(target, 2, {.piece_bytes = 100, .buffers = 2, .part_bytes = 10});
  const std::string from(1000, 'x');
  std::string to(1000, ' ');
  refuse_threads();
  CHECK_THROWS_AS(
      staging.start(from.data(), from.size(), to.data(), [](const char*, std::uint64_t, char*) {}),
      out_of_memory);
}

TEST_CASE("staging for which the system starts no thread says so and keeps nothing", "[feed]") {
  if (!threads_can_be_refused) return;
  check_own_process("own process: staging without a thread");
}

}  // namespace duomap::test::gpu_feed_staging_without_threads_test
