// Takes the steps of k-means over points in the memory of a GPU.
// host only
#pragma once

#include "core/iterative_report.hpp"
#include "core/resident_loop.hpp"
#include "core/run_control.hpp"
#include "core/worker_pool.hpp"
#include "duomap.hpp"
#include "gpu/device/executor_name.hpp"
#include "gpu/make_resident.hpp"
#include "numeric/common/gpu_matrix.hpp"
#include "numeric/kmeans/lloyd_step.hpp"
#include "scheduler/iterative/step_log.hpp"

#include <atomic>
#include <memory>
#include <string>

#if DUOMAP_HAS_CUDA
namespace duomap {

/// Runs the steps on the GPU that holds the points, with the interface of iterative_job.
class steps_on_gpu {
 public:
  steps_on_gpu(const lloyd_step<float>& first, gpu_matrix<float> points, worker_pool& pool,
               run_control* control)
    : points_(points), pool_(pool), control_(control) {
    const double begin = scheduler::steady_seconds();
    loop_ = gpu::make_resident(first, {}, points.gpu);
    report_.parts.push_back(
        {.name = gpu::executor_name(points.gpu),
         .planned_share = 1,
         .share = 1,
         .moved_bytes = loop_->hold({.data = points.bytes().data, .size = points.bytes().size}),
         .kind = executor_kind::device});
    report_.units = points.bytes().size;
    report_.parts[0].start_seconds = scheduler::steady_seconds() - begin;
    report_.notes.push_back(report_.parts[0].name + ": the points lay in its memory; " +
                            std::to_string(report_.parts[0].moved_bytes) +
                            " bytes of them came from the host");
  }

  [[nodiscard]] result_for<lloyd_step<float>> step(const lloyd_step<float>& task) {
    stop_if_cancelled(control_);
    const double begin = scheduler::steady_seconds();
    auto found = make_result(task, loop_->step(task), pool_);
    iterative_part& mine = report_.parts[0];
    mine.seconds = report_.step_seconds = scheduler::steady_seconds() - begin;
    mine.busy_seconds += mine.seconds;
    mine.units += report_.units;
    report_.seconds += mine.seconds;
    report_.steps = ++mine.steps;
    if (control_ != nullptr) control_->units_done.fetch_add(report_.units, std::memory_order_relaxed);
    return found;
  }

  /// Does what iterative_job::place() does; the points are already in place.
  template <class Meanwhile>
  void place(const lloyd_step<float>& /*task*/, const Meanwhile& meanwhile) {
    meanwhile(std::atomic<unsigned>(0));
  }

  /// Does what iterative_job::pass() does.
  template <class Other>
  [[nodiscard]] result_for<Other> pass(const lloyd_step<float>& /*task*/, const Other& other) {
    return make_result(other, gpu::make_resident(other, loop_->held(), points_.gpu)->step(other), pool_);
  }

  [[nodiscard]] const iterative_report& report() const { return report_; }

 private:
  gpu_matrix<float> points_;
  worker_pool& pool_;
  run_control* control_;
  std::unique_ptr<resident_loop<lloyd_step<float>>> loop_;
  iterative_report report_;
};

}  // namespace duomap
#endif
