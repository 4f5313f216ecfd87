// Tests gpu/gpu_backend.cuh and gpu/run_resident.cuh on GPUs that really fail: by traps, wild addresses,
// endless kernels, lack of memory. A fault makes the GPU unusable for the process, so each case has its own
// process.
#include "core/error.hpp"
#include "core/resident_loop.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/tbb_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/device.hpp"
#include "gpu/make_resident.hpp"
#include "gpu/options.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "scheduler/iterative/iterative_job.hpp"
#include "scheduler/run.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/support/failure_tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"
#include "tests/support/own_process.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_failing_gpu_test {
namespace {

using counts = std::vector<std::pair<std::string, std::uint64_t>>;
using shared_backend = std::shared_ptr<backend<faulty_words>>;

struct ended_run {
  counts words;
  run_report report;
  std::weak_ptr<backend<faulty_words>> gpu;  ///< valid as long as its thread has not ended
};

/// Gives the beginning of the input to the GPU and the end to the CPU, until one of them fails.
ended_run run_faulty(gpu_fault fault, const input& from, double gpu_share,
                     scheduler::execute_options how = {}) {
  const faulty_words task{fault};
  cpu::tbb_pool pool(4);
  ended_run ended;
  std::vector<shared_backend> on;
  if (gpu_share > 0) {
    on.emplace_back(gpu::make_backends(task, {gpu::discover().devices.front().index}, {}).front().release());
    ended.gpu = on.back();
  }
  if (gpu_share < 1) on.push_back(std::make_shared<cpu::cpu_backend<faulty_words>>(task, pool));
  if (on.size() > 1) how.share = {.policy = share_policy::by_hand, .gpu_share = gpu_share};
  const auto result = scheduler::run(task, from, on, pool, nullptr, ended.report, &how);
  result.for_each([&](const auto& key, const auto& value) {
    ended.words.emplace_back(std::string(key_bytes(key).text()), value);
  });
  std::sort(ended.words.begin(), ended.words.end());
  return ended;
}

/// A text that begins with "fault", the word at which GPUs fail.
std::string faulty_text(std::uint64_t bytes) {
  auto random = std::mt19937_64(seed());
  const std::string some = random_words(random, std::min<std::uint64_t>(bytes, 1'000'000), 5000);
  std::string text = "fault ";
  while (text.size() < bytes) text += some;
  return text;
}

/// Checks that a run survives the fault: the CPU also does the GPU's part.
void check_degraded(gpu_fault fault, const std::string& says) {
  const input text = text_input(faulty_text(100'000'000));
  const counts expected = run_faulty(gpu_fault::none, text, 0).words;
  const ended_run ended = run_faulty(fault, text, 0.5);
  CHECK((ended.words == expected));
  CHECK(ended.report.degraded);
  CHECK(ended.report.units == text[0].units());
  REQUIRE(!ended.report.notes.empty());
  CHECK_THAT(ended.report.notes[0], contains(says) && contains("the others have done its work"));
}

void check_in_own_process(const std::string& name) {
  if (no_gpu()) return;
  const ended_process ended = run_in_own_process(name);
  INFO(ended.output);
  CHECK(ended.status == 0);
  CHECK_THAT(ended.output, contains("1 test case"));
}

}  // namespace

TEST_CASE("own process: a GPU that traps leaves its work to the CPU", "[.][own-process]") {
  check_degraded(gpu_fault::trap, "cudaError");
}

TEST_CASE("own process: a GPU that writes to a wild address leaves its work to the CPU", "[.][own-process]") {
  check_degraded(gpu_fault::wild_address, "cudaErrorIllegalAddress");
  // The next run notices at once that the device is lost.
  const input text = text_input("one fault");
  CHECK(run_faulty(gpu_fault::none, text, 0.5).words.size() == 2);
}

TEST_CASE("own process: a GPU that fails in a strict run is an error", "[.][own-process]") {
  const input text = text_input(faulty_text(100'000'000));
  scheduler::execute_options strict;
  strict.strict = true;
  CHECK_THROWS_AS(run_faulty(gpu_fault::trap, text, 0.5, strict), device_lost);
}

TEST_CASE("own process: a GPU that fails alone is an error", "[.][own-process]") {
  const input text = text_input(faulty_text(10'000'000));
  CHECK_THROWS_WITH(run_faulty(gpu_fault::trap, text, 1), contains("cannot use the device any more"));
}

TEST_CASE("own process: a GPU that fails alone has lost what it read from a stream", "[.][own-process]") {
  const input stream = make_input({"stream", {faulty_text(3'000'000)}}, layout::streamed);
  CHECK_THROWS_AS(run_faulty(gpu_fault::trap, stream, 1), device_lost);
}

// The process ends while the kernel still runs.
TEST_CASE("own process: a GPU that does not answer times out", "[.][own-process]") {
  const input text = text_input(faulty_text(100'000'000));
  // Starts the device first. Otherwise the run would wait for ten times the device's start.
  CHECK(run_faulty(gpu_fault::none, text_input("warm up"), 1).words.size() == 2);
  const counts expected = run_faulty(gpu_fault::none, text, 0).words;
  scheduler::execute_options how;
  how.late_chunk_seconds = 0.5;
  const ended_run ended = run_faulty(gpu_fault::endless, text, 0.5, how);
  CHECK((ended.words == expected));
  CHECK(ended.report.degraded);
  CHECK_FALSE(ended.gpu.expired());
  REQUIRE(!ended.report.notes.empty());
  CHECK_THAT(ended.report.notes[0], contains("gpu 0") && contains("did not answer"));
  // Later runs do not wait for this GPU again.
  const ended_run next = run_faulty(gpu_fault::none, text, 0.5);
  CHECK((next.words == expected));
  CHECK(next.report.degraded);
  CHECK_THROWS_WITH(run_faulty(gpu_fault::none, text, 1),
                    contains("timed out in an earlier run of this process"));
}

TEST_CASE("own process: a GPU with little memory takes smaller chunks or none", "[.][own-process]") {
  const input text = text_input(faulty_text(300'000'000));
  const counts expected = run_faulty(gpu_fault::none, text, 0).words;
  CHECK((run_faulty(gpu_fault::none, text, 0.9).words == expected));
  std::uint64_t refused = 0;
  bool dropped = false;
  for (const std::uint64_t megabytes : {0U, 20U, 60U, 100U, 200U, 400U, 1000U}) {
    CAPTURE(megabytes);
    const hogged_memory all_but(megabytes * 1'000'000);
    const ended_run ended = run_faulty(gpu_fault::none, text, 0.9);
    CHECK((ended.words == expected));
    for (const executor_report& one : ended.report.executors) {
      refused += one.refused;
      dropped = dropped || !one.trouble.empty();
    }
  }
  CHECK(refused > 0);
  CHECK(dropped);
}

TEST_CASE("own process: a GPU that traps in a later step leaves it to the CPU", "[.][own-process]") {
  const input numbers = index_input(100'003);
  cpu::tbb_pool pool(4);
  for (const gpu_fault fault : {gpu_fault::none, gpu_fault::trap}) {
    iterative_job job(faulty_steps{}, numbers, pool, {.device = device_choice::cpu_gpu});
    job.share_by_hand(0.5);
    for (unsigned step = 0; step < 5; ++step) {
      const auto found = job.step({step == 2 ? fault : gpu_fault::none});
      for (std::uint64_t key = 0; key < 7; ++key)
        CHECK(found[key] == 100'003 / 7 + (key < 100'003 % 7 ? 1 : 0));
    }
    CHECK(job.report().degraded == (fault != gpu_fault::none));
  }
}

TEST_CASE("own process: a step of a GPU that traps is an error", "[.][own-process]") {
  const auto loop =
      gpu::make_resident(faulty_steps{}, chunk{nullptr, 10'000, 0, 0}, gpu::discover().devices.front().index);
  for (unsigned step = 0; step < 3; ++step) CHECK(loop->step({})[3] == 1429);
  CHECK_THROWS_WITH(loop->step({gpu_fault::trap}), contains("cannot use the device any more"));
}

// The process ends while the kernel still runs.
TEST_CASE("own process: a step of a GPU that does not end is waited for so long and no longer",
          "[.][own-process]") {
  auto loop =
      gpu::make_resident(faulty_steps{}, chunk{nullptr, 10'000, 0, 0}, gpu::discover().devices.front().index);
  CHECK(loop->step({})[3] == 1429);
  loop->begin({gpu_fault::endless}, false);
  CHECK_FALSE(loop->finish_within(0.2).has_value());
  CHECK_FALSE(loop->finish_within(0.2).has_value());
  loop->give_up();
  static_cast<void>(loop.release());  // destroying it would wait for the device
}

TEST_CASE("GPU failure: a step with a key that is too large leaves the next ones alone", "[gpu][sanitize]") {
  if (no_gpu()) return;
  const auto loop =
      gpu::make_resident(faulty_steps{}, chunk{nullptr, 10'000, 0, 0}, gpu::discover().devices.front().index);
  for (unsigned step = 0; step < 6; ++step) {
    if (step % 2 == 1) CHECK_THROWS_AS(loop->step({gpu_fault::large_key}), map_failed);
    CHECK(loop->step({})[3] == 1429);
  }
}

TEST_CASE("GPU failure: a fault in a step of an iterative job", "[gpu][failure]") {
  check_in_own_process("own process: a GPU that traps in a later step leaves it to the CPU");
  check_in_own_process("own process: a step of a GPU that traps is an error");
  check_in_own_process("own process: a step of a GPU that does not end is waited for so long and no longer");
}

TEST_CASE("GPU failure: a fault leaves the work to the CPU", "[gpu][failure]") {
  check_in_own_process("own process: a GPU that traps leaves its work to the CPU");
  check_in_own_process("own process: a GPU that writes to a wild address leaves its work to the CPU");
}

TEST_CASE("GPU failure: a fault is an error in strict runs, and without a CPU", "[gpu][failure]") {
  check_in_own_process("own process: a GPU that fails in a strict run is an error");
  check_in_own_process("own process: a GPU that fails alone is an error");
  check_in_own_process("own process: a GPU that fails alone has lost what it read from a stream");
}

TEST_CASE("GPU failure: a kernel that does not end times out, and the process ends", "[gpu][failure]") {
  check_in_own_process("own process: a GPU that does not answer times out");
}

TEST_CASE("GPU failure: without device memory chunks become smaller, then the CPU does them",
          "[gpu][failure]") {
  check_in_own_process("own process: a GPU with little memory takes smaller chunks or none");
}

}  // namespace duomap::test::gpu_failing_gpu_test

#endif
