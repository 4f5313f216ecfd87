// The resident loop: a part of the data in device memory, and a graph that maps and reduces it once. The .cu
// file includes the pass of its task, too.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/resident_loop.hpp"
#include "core/task.hpp"
#include "gpu/device/in_process.hpp"
#include "gpu/engines/dense/pass.cuh"
#include "gpu/engines/dense/task_parameter.cuh"
#include "gpu/feed/resident_part.cuh"
#include "gpu/make_resident.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/graph.cuh"
#include "gpu/runtime/stream.cuh"
#include "gpu/runtime/wait_at_most.cuh"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <typeinfo>

namespace duomap::gpu {

/// Owns everything on the device. Small results are written to host memory by the last kernel, so that no
/// copy has to follow it.
template <resident_task Task>
class device_loop final : public resident_loop<Task> {
 public:
  device_loop(const Task& task, const chunk& part, int device)
    : device_(device),
      array_bytes_(broadcast_bytes(task)),
      keys_(dense_key_count(task)),
      on_(choose(device)),
      data_(on_),
      pass_(task, on_),
      bad_keys_(sizeof(unsigned)),
      host_result_(pass_.result_bytes()),
      on_device_(task) {
    if (pass_.result_bytes() > most_written_directly) result_ = device_buffer(pass_.result_bytes(), on_);
    if (has_broadcast<Task> && !arrays_travel_with_task()) {
      arrays_ = device_buffer(array_bytes_, on_);
      staged_.emplace(array_bytes_);
    }
    data_.hold(part);
  }

  [[nodiscard]] std::uint64_t most_bytes() override {
    use_gpu(device_);
    return data_.most_bytes();
  }

  std::uint64_t hold(const chunk& part) override {
    use_gpu(device_);
    graph_.reset();
    return data_.hold(part);
  }

  [[nodiscard]] chunk held() const override { return data_.get(); }

  void begin(const Task& task, bool timed) override {
    expects(broadcast_bytes(task) == array_bytes_ && dense_key_count(task) == keys_,
            "the steps of a loop have the same number of keys and the same sizes of arrays");
    use_gpu(device_);
    *bad_keys_.template as<volatile unsigned>() = 0;
    with_task(task, [&]<bool In>(const task_parameter<Task, In>& parameter) {
      if (!graph_) {
        record<In>(task, parameter);
      } else if (!pass_.is_empty()) {
        graph_->set_argument(pass_.template kernel<In>(),
                             pass_.arguments_for(parameter, data_.get(), bad_keys_.template as<unsigned>()));
      }
    });
    timed_ = timed;
    if (timed_) started_.record(on_);
    graph_->run(on_);
    if (timed_) ended_.record(on_);
  }

  [[nodiscard]] std::optional<resident_step<Task>> finish_within(double seconds) override {
    if (!wait_at_most(on_, seconds)) return std::nullopt;
    if (*bad_keys_.template as<volatile unsigned>() != 0)
      throw_key_out_of_range_on_gpu(typeid(Task).name(), keys_);
    return resident_step<Task>{pass_.partial(host_result_.template as<void>()),
                               timed_ ? ended_.seconds_since(started_) : 0};
  }

  void give_up() noexcept override { ++in_process(device_).hanging; }

 private:
  // Writing to the host goes through the link a cache line at a time: more than this is copied.
  static constexpr std::uint64_t most_written_directly = std::uint64_t{16} << 10;

  [[nodiscard]] static stream choose(int device) {
    use_gpu(device);
    return {};
  }

  [[nodiscard]] bool arrays_travel_with_task() const { return array_bytes_ <= parameter_array_bytes; }

  /// Calls use(parameter) with this step's task; arrays that are too large for parameters are staged for the
  /// copy that the graph begins with.
  template <class Use>
  void with_task(const Task& task, const Use& use) {
    if constexpr (has_broadcast<Task>) {
      if (!arrays_travel_with_task()) {
        on_device_ = task;
        std::uint64_t at = 0;
        on_device_.visit_broadcast([&]<class T>(broadcast<T>& array) {
          if (array.size > 0)
            std::memcpy(staged_->template as<char>() + at, array.data, array.size * sizeof(T));
          array.data = reinterpret_cast<const T*>(arrays_.template as<char>() + at);
          at += detail::parameter_place(array.size * sizeof(T));
        });
        with_parameter(on_device_, static_cast<const Task*>(nullptr), use);
        return;
      }
    }
    with_parameter(task, &task, use);
  }

  template <bool In>
  void record(const Task& task, const task_parameter<Task, In>& parameter) {
    pass_.template plan<In>(task, data_.get());
    on_.wait();  // no allocation is left to be made while the graph is recorded
    graph_.emplace(on_, [&] { queue<In>(parameter); });
  }

  template <bool In>
  void queue(const task_parameter<Task, In>& parameter) {
    if (staged_) {
      check(cudaMemcpyAsync(arrays_.template as<void>(), staged_->template as<void>(), array_bytes_,
                            cudaMemcpyHostToDevice, on_.get()),
            "copying broadcast arrays");
    }
    void* const host = host_result_.template as<void>();
    const bool direct = result_.size() == 0;
    void* const to = direct ? host : result_.template as<void>();
    pass_.template run<In>(pass_.arguments_for(parameter, data_.get(), bad_keys_.template as<unsigned>()), to,
                           totals::replace);
    if (!direct) {
      check(cudaMemcpyAsync(host, to, pass_.result_bytes(), cudaMemcpyDeviceToHost, on_.get()),
            "copying dense results");
    }
  }

  int device_;
  std::uint64_t array_bytes_;
  std::uint64_t keys_;
  stream on_;
  resident_part data_;
  pass_for<Task> pass_;
  pinned_buffer bad_keys_;  // written by kernels
  pinned_buffer host_result_;
  device_buffer result_;  // of results that are copied
  Task on_device_;
  device_buffer arrays_;                 // of arrays that do not travel with the task,
  std::optional<pinned_buffer> staged_;  // and where they are copied from
  event started_;
  event ended_;
  bool timed_ = false;
  std::optional<graph> graph_;
};

template <resident_task Task>
std::unique_ptr<resident_loop<Task>> make_resident(const Task& task, const chunk& part, int device) {
  return std::make_unique<device_loop<Task>>(task, part, device);
}

}  // namespace duomap::gpu
