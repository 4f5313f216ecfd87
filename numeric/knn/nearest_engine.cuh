// Finds the nearest rows of chunks on a GPU.
#pragma once

#include "core/error.hpp"
#include "gpu/engines/custom/engine.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/options.hpp"
#include "gpu/runtime/event_queue.cuh"
#include "gpu/runtime/release.cuh"
#include "gpu/runtime/stream.cuh"
#include "numeric/knn/nearest_pass.cuh"
#include "numeric/knn/nearest_rows.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// The best neighbours of each query, copied from a device.
class nearest_part final : public host_partial<nearest_rows> {
 public:
  nearest_part(std::vector<neighbour> best, std::vector<unsigned> counts, std::uint32_t k)
    : best_(std::move(best)), counts_(std::move(counts)), k_(k) {}

  [[nodiscard]] partial_for<nearest_rows> release_partial(worker_pool& pool) override {
    partial_for<nearest_rows> all(counts_.size());
    pool.for_each_index(counts_.size(), [&](std::uint64_t query) {
      for (unsigned i = 0; i < counts_[query]; ++i) all[query].add(best_[query * k_ + i], {.k = k_});
    });
    return all;
  }

 private:
  std::vector<neighbour> best_;
  std::vector<unsigned> counts_;
  std::uint32_t k_;
};

/// The best neighbours of each query stay on the device from chunk to chunk, until they are committed.
template <>
class custom_engine<nearest_rows> final : public engine {
 public:
  custom_engine(const nearest_rows& task, const backend_options& /*options*/, const engine_surroundings& with,
                host_partials<nearest_rows>& host)
    : task_(task),
      on_(with.compute),
      host_(host),
      pass_(task.queries.data, task.key_count(), task.columns, task.k, with.compute) {}

  ~custom_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::custom; }

  void enqueue(const chunk& resident) override {
    const std::uint64_t rows = resident.size / (task_.columns * sizeof(float));
    if (rows > 0) {
      pass_.plan(rows);
      pass_.run(resident);
    }
    open_.record(on_);
  }

  void finish_oldest() override { open_.wait_for_oldest(); }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    std::vector<neighbour> best(task_.key_count() * task_.k);
    std::vector<unsigned> counts(task_.key_count());
    pass_.copy(best.data(), counts.data());
    on_.wait();
    host_.push_back(std::make_unique<nearest_part>(std::move(best), std::move(counts), task_.k));
    forget();
  }

  void forget() override { pass_.forget(); }

 private:
  nearest_rows task_;
  const stream& on_;
  host_partials<nearest_rows>& host_;
  nearest_pass pass_;
  event_queue open_;
};

}  // namespace duomap::gpu
