// Runs tasks with dense keys, no key or slots: the dense engine (Catanzaro et al., STMCS 2008). It fuses map
// with a reduction in registers and shared memory, and a second stage folds the values of the blocks. The .cu
// file must also include the pass of its task.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/task.hpp"
#include "gpu/engines/can_run.hpp"
#include "gpu/engines/dense/pass.cuh"
#include "gpu/engines/dense/path.hpp"
#include "gpu/engines/dense/task_parameter.cuh"
#include "gpu/engines/engine.hpp"
#include "gpu/engines/engine_maker.hpp"
#include "gpu/engines/host_partial.hpp"
#include "gpu/engines/ready_partial.hpp"
#include "gpu/options.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/event_queue.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <memory>
#include <optional>
#include <typeinfo>
#include <vector>

namespace duomap::gpu {

/// The engine for reductions that commute. Totals stay on the device until commit(). gpu/engines/engine.hpp
/// describes the functions.
template <dense_task Task>
  requires(!order_matters<Task>)
class dense_engine final : public engine {
 public:
  /// Works on the calling thread's current device. `on` and `host` must outlive the engine.
  dense_engine(const Task& task, dense_path forced, const stream& on, host_partials<Task>& host)
    : task_(task),
      on_(on),
      host_(host),
      pass_(task, on, forced),
      totals_(pass_.result_bytes(), on),
      bad_keys_(sizeof(unsigned)) {
    if (has_broadcast<Task> && broadcast_bytes(task) <= parameter_array_bytes) on_host_.emplace(task, on);
    *bad_keys_.template as<unsigned>() = 0;
    pass_.clear(totals_.template as<void>());
  }

  ~dense_engine() override {
    check_release(cudaStreamSynchronize(on_.get()), "waiting for an engine at its end");
  }

  [[nodiscard]] engine_kind kind() const noexcept override { return engine_kind::dense; }

  void enqueue(const chunk& resident) override {
    with_parameter(
        task_, on_host_ ? &on_host_->task() : nullptr, [&]<bool In>(const task_parameter<Task, In>& task) {
          pass_.template plan<In>(task_, resident);
          pass_.template run<In>(pass_.arguments_for(task, resident, bad_keys_.template as<unsigned>()),
                                 totals_.template as<void>(), totals::fold_into);
        });
    open_.record(on_);
  }

  void finish_oldest() override {
    open_.wait_for_oldest();
    if (*bad_keys_.template as<volatile unsigned>() != 0)
      throw_key_out_of_range_on_gpu(typeid(Task).name(), dense_key_count(task_));
  }

  void commit() override {
    expects(open_.empty(), "an engine is committed when no chunk is open");
    pass_.settle(totals_.template as<void>());
    // The copy consists of 16-byte words, so that values of any type are aligned.
    std::vector<uint4> copy((pass_.result_bytes() + sizeof(uint4) - 1) / sizeof(uint4));
    check(cudaMemcpyAsync(copy.data(), totals_.template as<void>(), pass_.result_bytes(),
                          cudaMemcpyDeviceToHost, on_.get()),
          "copying dense results");
    on_.wait();
    host_.push_back(std::make_unique<ready_partial<Task>>(pass_.partial(copy.data())));
    forget();
  }

  void forget() override { pass_.clear(totals_.template as<void>()); }

 private:
  Task task_;
  const stream& on_;
  host_partials<Task>& host_;
  std::optional<host_arrays<Task>> on_host_;  // small arrays, which travel in kernel parameters
  pass_for<Task> pass_;
  device_buffer totals_;
  pinned_buffer bad_keys_;  // kernels set it to 1 if a key is too large
  event_queue open_;
};

template <dense_task Task>
  requires(!order_matters<Task>)
struct engine_maker<engine_kind::dense, Task> {
  static constexpr bool is_included = true;
  [[nodiscard]] static std::unique_ptr<engine> make(const Task& task, const backend_options& options,
                                                    const engine_surroundings& with,
                                                    host_partials<Task>& host) {
    return std::make_unique<dense_engine<Task>>(task, options.dense, with.compute, host);
  }
};

}  // namespace duomap::gpu
