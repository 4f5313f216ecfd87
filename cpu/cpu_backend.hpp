// Runs a task on the CPU: workers map chunks into containers of their own, which are combined at the end.
#pragma once

#include "core/backend.hpp"
#include "core/config.hpp"
#include "core/memory_reservation.hpp"
#include "core/task.hpp"
#include "cpu/container/container_for.hpp"
#include "cpu/scan/scanner_for.hpp"

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::cpu {

/// Runs a task on a pool of CPU workers. submit() maps the chunk at once, on the calling worker, so commit()
/// has nothing to do.
template <map_reduce_task Task>
class cpu_backend final : public backend<Task> {
 public:
  /// `pool` must outlive the backend. The workers' containers take their memory from `memory`.
  cpu_backend(const Task& task, worker_pool& pool, shared_budget memory = nullptr)
    : task_(task), pool_(pool), memory_(std::move(memory)), workers_(pool.workers()) {}

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] unsigned workers() const noexcept override { return static_cast<unsigned>(workers_.size()); }
  [[nodiscard]] unsigned depth() const noexcept override { return 1; }
  [[nodiscard]] executor_traits traits() const noexcept override {
    return {.kind = executor_kind::pool,
            .prefers_adjacent = order_matters<Task> && !std::same_as<typename Task::key, no_key>,
            .maps_records = !maps_chunks<Task>,
            .wake_seconds = pool_.wake_seconds()};
  }

  void drive(const std::function<void(unsigned worker)>& body) override { pool_.run_workers(body); }

  void submit(unsigned worker, const chunk& part) override {
    // The worker makes its state here, in its first chunk, and not in the constructor. So the worker touches
    // the memory first, and the system places it near the worker.
    if (!workers_[worker].state) workers_[worker].state = std::make_unique<worker_state>(task_, memory_);
    worker_state& mine = *workers_[worker].state;
    workers_[worker].failed_at.reset();
    if constexpr (maps_chunks<Task>) {
      mine.container->fill(part, [&](auto& emit) { task_.map_chunk(part, emit); });
    } else {
      const auto format = format_of(task_);
      const chunk prepared = mine.scanner.prepare(format, part);
      mine.container->fill(prepared, [&](auto& emit) {
        // Formats call map_one from several loops, so compilers may not inline it. A call for each record
        // would keep the emitter's values out of registers. With inlining, a histogram of three bytes a
        // record takes 0.6 of the time.
        const auto map_one = [&](const typename Task::format::record& record) __attribute__((always_inline)) {
          try {
            task_.map(record, emit);
          } catch (...) {
            workers_[worker].failed_at = offset_of(record, prepared);
            throw;
          }
        };
        mine.scanner.for_each_record(format, prepared, map_one);
      });
    }
    workers_[worker].units = part.size;
  }

  [[nodiscard]] std::optional<std::uint64_t> failed_at(unsigned worker) const override {
    return workers_[worker].failed_at;
  }

  chunk_report finish(unsigned worker) override { return {.units = workers_[worker].units}; }
  void commit(unsigned /*worker*/) override {}

  /// Returns one partial, which has the emits of all workers.
  [[nodiscard]] std::vector<partial_for<Task>> release_partials(worker_pool& pool) override {
    std::vector<std::unique_ptr<container_type>> containers;
    for (worker_slot& worker : workers_) {
      if (worker.state) containers.push_back(std::move(worker.state->container));
      worker.state.reset();
    }
    if (containers.empty()) containers.push_back(std::make_unique<container_type>(task_));
    std::vector<partial_for<Task>> one;
    one.push_back(combine<Task>(std::move(containers), task_, pool));
    return one;
  }

 private:
  using container_type = container_for<Task>;

  struct worker_state {
    worker_state(const Task& task, const shared_budget& memory)
      : container(std::make_unique<container_type>(task, memory)) {}

    std::unique_ptr<container_type> container;
    scanner_for<typename Task::format> scanner;
  };

  // Only its worker writes a slot. The alignment keeps workers from sharing cache lines.
  struct alignas(cache_separation) worker_slot {
    std::unique_ptr<worker_state> state;
    std::uint64_t units = 0;
    std::optional<std::uint64_t> failed_at;
  };

  Task task_;
  worker_pool& pool_;
  shared_budget memory_;
  std::vector<worker_slot> workers_;
};

}  // namespace duomap::cpu
