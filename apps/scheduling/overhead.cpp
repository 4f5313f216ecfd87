#include "apps/scheduling/overhead.hpp"

#include "core/executor.hpp"
#include "core/input/input.hpp"
#include "core/record/format_boundary.hpp"
#include "core/record/index_range.hpp"
#include "scheduler/execute.hpp"
#include "scheduler/work.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <string>

namespace duomap::apps {
namespace {

// Claims, and does nothing with what it has claimed.
class idle_executor final : public executor {
 public:
  // `grains`: 0 for a pool; what a device claims at once.
  idle_executor(parallel& pool, std::uint64_t grains)
    : pool_(pool), grains_(grains), slots_(pool.workers()) {}

  [[nodiscard]] std::string name() const override { return grains_ > 0 ? "gpu" : "cpu"; }
  [[nodiscard]] unsigned workers() const noexcept override { return pool_.workers(); }
  [[nodiscard]] unsigned depth() const noexcept override { return grains_ > 0 ? 3 : 1; }
  [[nodiscard]] std::uint64_t claim_bytes() const noexcept override { return grains_; }

  void drive(const std::function<void(unsigned worker)>& body) override { pool_.run_workers(body); }
  void submit(unsigned worker, const chunk& part) override { slots_[worker].open.push_back(part.size); }
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

  parallel& pool_;
  std::uint64_t grains_;
  std::vector<slot> slots_;
};

struct claims_taken {
  double seconds = 0;
  double count = 0;
};

claims_taken take_claims(executor& on, std::uint64_t grains) {
  const input from = index_input(grains);
  const format_boundary<index_range> records(index_range{.indices_per_grain = 1});
  scheduler::work all(from, records, {}, nullptr);
  const std::array<executor*, 1> executors = {&on};
  const double before = processor_seconds();
  const auto done = scheduler::execute(all, executors, nullptr);
  return {processor_seconds() - before, static_cast<double>(done.executors.front().chunks)};
}

// The larger input takes a tenth of a second.
double seconds_of_claim(executor& on, std::uint64_t grains) {
  double least = 0;
  for (int round = 0; round < 3; ++round) {
    const claims_taken few = take_claims(on, grains / 4);
    const claims_taken many = take_claims(on, grains);
    const double seconds = (many.seconds - few.seconds) / std::max(many.count - few.count, 1.0);
    least = round == 0 ? seconds : std::min(least, seconds);
  }
  return std::max(least, 0.0);
}

}  // namespace

claim_costs measure_claims(parallel& pool) {
  idle_executor all_workers(pool, 0);
  sequential alone;
  idle_executor worker(alone, 0);
  idle_executor device(alone, 16);
  return {seconds_of_claim(worker, std::uint64_t{1} << 22),
          seconds_of_claim(all_workers, std::uint64_t{1} << 22),
          seconds_of_claim(device, std::uint64_t{1} << 20)};
}

double scheduler_seconds(const claim_costs& costs, const run_report& report) {
  double seconds = 0;
  for (const executor_report& one : report.executors)
    seconds +=
        static_cast<double>(one.chunks) * (one.name.starts_with("gpu") ? costs.of_device : costs.of_pool);
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
