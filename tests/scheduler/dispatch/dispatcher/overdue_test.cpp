// Tests when the scheduler decides that a device hangs.
#include "scheduler/dispatch/dispatcher/overdue.hpp"

#include "tests/catch.hpp"
#include "tests/scheduler/dispatch/dispatcher/executors.hpp"

namespace duomap::test::scheduler_overdue_test {
namespace {

using scheduler::dispatch_options;
using scheduler::executor_stage;
using scheduler::executor_state;
using scheduler::is_overdue;

const dispatch_options patient{.late_chunk_seconds = 5, .late_commit_seconds = 30};

}  // namespace

TEST_CASE("overdue: an executor with nothing to do is not", "[dispatch]") {
  executor_state gpu(device_of(1e-3));
  CHECK_FALSE(is_overdue(gpu, patient, 1e6));
  gpu.at = executor_stage::ready;
  CHECK_FALSE(is_overdue(gpu, patient, 1e6));
}

TEST_CASE("overdue: a chunk is after ten times what it should take, and five seconds", "[dispatch]") {
  executor_state gpu(device_of(1e-3));
  gpu.rate.add(100, 0.1);
  hold(gpu, 100, 1);
  CHECK_FALSE(is_overdue(gpu, patient, 5.9));
  CHECK(is_overdue(gpu, patient, 6.1));
  hold(gpu, 10'000, 1);  // 10 s
  CHECK_FALSE(is_overdue(gpu, patient, 90));
  CHECK(is_overdue(gpu, patient, 110));
}

TEST_CASE("overdue: a first chunk may take as long as all before, but no longer than a commit",
          "[dispatch]") {
  executor_state gpu(device_of());
  hold(gpu, 100, 1);
  CHECK_FALSE(is_overdue(gpu, patient, 10.9));
  CHECK(is_overdue(gpu, patient, 11.1));
  hold(gpu, 100, 100);
  CHECK_FALSE(is_overdue(gpu, patient, 129));
  CHECK(is_overdue(gpu, patient, 131));
}

TEST_CASE("overdue: a block of a stream has the time of a commit, or of ten others", "[dispatch]") {
  executor_state gpu(device_of(1e-3));
  gpu.at = executor_stage::ready;
  gpu.at_block_since = 1;
  CHECK_FALSE(is_overdue(gpu, patient, 30));
  CHECK(is_overdue(gpu, patient, 32));
  gpu.longest_block = 4;
  CHECK_FALSE(is_overdue(gpu, patient, 40));
  CHECK(is_overdue(gpu, patient, 42));
  hold(gpu, 100, 1);  // the chunk waits for the block, which takes longer
  CHECK_FALSE(is_overdue(gpu, patient, 40));
  gpu.at_block_since = -1;
  CHECK(is_overdue(gpu, patient, 40));
}

TEST_CASE("overdue: a start and a commit have a longer time", "[dispatch]") {
  executor_state gpu(device_of(1e-3, 4));
  gpu.at = executor_stage::starting;
  gpu.started_at = 1;
  CHECK_FALSE(is_overdue(gpu, patient, 40));
  CHECK(is_overdue(gpu, patient, 42));
  hold(gpu, 0, 1);
  gpu.commits_now = true;
  CHECK_FALSE(is_overdue(gpu, patient, 30));
  CHECK(is_overdue(gpu, patient, 32));
}

TEST_CASE("overdue: an executor that cannot time out never is, nor one that is lost", "[dispatch]") {
  executor_state pool(pool_of(4, 1e-3));
  pool.open = 10;
  CHECK_FALSE(is_overdue(pool, patient, 1e6));
  executor_state gpu(device_of(1e-3));
  hold(gpu, 100);
  gpu.at = executor_stage::failed;
  CHECK_FALSE(is_overdue(gpu, patient, 1e6));
}

}  // namespace duomap::test::scheduler_overdue_test
