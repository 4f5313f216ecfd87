// Times claims of the scheduler by executors that only wait.
#include "bench/scheduling/overhead.hpp"

#include "core/boundary.hpp"
#include "core/executor.hpp"
#include "core/input/input.hpp"
#include "core/record/index_range.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

// An executor that claims chunks and spends a fixed time on each.
class idle_executor final : public executor {
 public:
  // `grains` is 0 for a pool, or the grains that a device claims at once. `pause` is the time that a chunk
  // takes.
  idle_executor(worker_pool& pool, std::uint64_t grains, std::chrono::nanoseconds pause)
    : pool_(pool), grains_(grains), pause_(pause), slots_(pool.workers()) {}

  [[nodiscard]] std::string name() const override { return grains_ > 0 ? "gpu" : "cpu"; }
  [[nodiscard]] unsigned workers() const noexcept override { return pool_.workers(); }
  [[nodiscard]] unsigned depth() const noexcept override { return grains_ > 0 ? 3 : 1; }
  [[nodiscard]] executor_traits traits() const noexcept override {
    return grains_ > 0 ? executor_traits{executor_kind::device, grains_} : executor_traits{};
  }

  void drive(const std::function<void(unsigned worker)>& body) override { pool_.run_workers(body); }
  void submit(unsigned worker, const chunk& part) override {
    slots_[worker].open.push_back(part.size);
    // Watches the clock instead of sleeping, so that the pause is processor time of a known length.
    const auto until = std::chrono::steady_clock::now() + pause_;
    while (std::chrono::steady_clock::now() < until) {
    }
  }
  chunk_report finish(unsigned worker) override {
    const std::uint64_t units = slots_[worker].open.front();
    slots_[worker].open.pop_front();
    return {.units = units};
  }
  void commit(unsigned /*worker*/) override {}

 private:
  struct alignas(cache_separation) slot {
    std::deque<std::uint64_t> open;
  };

  worker_pool& pool_;
  std::uint64_t grains_;
  std::chrono::nanoseconds pause_;
  std::vector<slot> slots_;
};

struct claims_taken {
  double seconds = 0;
  double count = 0;
};

claims_taken take_claims(executor& on, std::uint64_t grains) {
  const input from = index_input(grains);
  const format_boundary<index_range> records(index_range{.indices_per_grain = 1});
  scheduler::chunk_source all(from, records, {}, nullptr);
  const std::array<executor*, 1> executors = {&on};
  const double before = processor_seconds();
  const auto done = scheduler::execute(all, executors, nullptr);
  return {processor_seconds() - before, static_cast<double>(done.executors.front().chunks)};
}

// Each worker needs some tenths of a second for the larger input.
double seconds_of_claim(worker_pool& pool, std::uint64_t grains_of_device) {
  constexpr std::chrono::microseconds pause{20};
  constexpr std::uint64_t grains_of_claim = 16;
  constexpr std::uint64_t claims_of_worker = 1 << 14;
  idle_executor on(pool, grains_of_device, pause);
  const std::uint64_t grains = grains_of_claim * claims_of_worker * pool.workers();
  std::vector<double> seconds;
  for (int round = 0; round < 3; ++round) {
    const claims_taken few = take_claims(on, grains / 4);
    const claims_taken many = take_claims(on, grains);
    seconds.push_back((many.seconds - few.seconds) / std::max(many.count - few.count, 1.0) -
                      std::chrono::duration<double>(pause).count());
  }
  // Other work on the machine can only add time, so the least round counts.
  return std::max(*std::min_element(seconds.begin(), seconds.end()), 0.0);
}

}  // namespace

claim_costs measure_claims(worker_pool& pool) {
  sequential alone;
  return {seconds_of_claim(alone, 0), seconds_of_claim(pool, 0), seconds_of_claim(alone, 16)};
}

double scheduler_seconds(const claim_costs& costs, const run_report& report) {
  double seconds = 0;
  for (const executor_report& one : report.executors)
    seconds += static_cast<double>(one.chunks) *
               (one.kind == executor_kind::device ? costs.of_device : costs.of_pool);
  return seconds;
}

double processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace duomap::apps
