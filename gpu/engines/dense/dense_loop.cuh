// Keeps a part of the data in device memory, and maps and reduces it in each step: the resident loop. The .cu
// file must also include the pass of its task.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/resident_loop.hpp"
#include "core/task.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/engines/dense/combine.cuh"
#include "gpu/engines/dense/pass.cuh"
#include "gpu/engines/dense/task_parameter.cuh"
#include "gpu/feed/resident_part.cuh"
#include "gpu/make_resident.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"
#include "gpu/runtime/wait_at_most.cuh"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <typeinfo>

namespace duomap::gpu {

/// Owns everything on the device. The last kernel writes a small result to host memory itself
/// (stamped_result), so that no copy follows and the host need not wait for the driver.
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
      result_(pass_.result_bytes(), on_),
      host_result_(pass_.result_bytes()),
      on_device_(task) {
    if (pass_.writes_stamped() && pass_.result_bytes() <= most_told) {
      told_.emplace(2 * pass_.result_bytes());
      std::memset(told_->template as<void>(), 0, told_->size());  // 0 is the number of no step
    }
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
    planned_ = false;
    return data_.hold(part);
  }

  [[nodiscard]] chunk held() const override { return data_.get(); }

  void begin(const Task& task, bool timed) override {
    expects(broadcast_bytes(task) == array_bytes_ && dense_key_count(task) == keys_,
            "the steps of a loop have the same number of keys and the same sizes of arrays");
    use_gpu(device_);
    *bad_keys_.template as<volatile unsigned>() = 0;
    timed_ = timed;
    ++step_;
    taken_ = 0;
    with_task(task, [&]<bool In>(const task_parameter<Task, In>& parameter) {
      if (!planned_) pass_.template plan<In>(task, data_.get());
      planned_ = true;
      if (timed_) started_.record(on_);
      queue<In>(parameter);
    });
    if (timed_) ended_.record(on_);
  }

  [[nodiscard]] std::optional<resident_step<Task>> finish_within(double seconds) override {
    // A timed step waits for the driver, because only then the step's time is known.
    const bool ended = timed_ || !told_ ? wait_at_most(on_, seconds)
                                        : wait_at_most(on_, seconds, [&] { return take_told(); });
    if (!ended) return std::nullopt;
    if (told_) expects(take_told(), "a step that has ended has told its result");
    if (*bad_keys_.template as<volatile unsigned>() != 0)
      throw_key_out_of_range_on_gpu(typeid(Task).name(), keys_);
    return resident_step<Task>{pass_.partial(host_result_.template as<void>()),
                               timed_ ? ended_.seconds_since(started_) : 0};
  }

  void give_up() noexcept override { ++state_of_gpu(device_).hanging; }

 private:
  // A told result crosses the link and the host's caches word by word, so a larger result is copied.
  static constexpr std::uint64_t most_told = std::uint64_t{16} << 10;

  [[nodiscard]] static stream choose(int device) {
    use_gpu(device);
    return {};
  }

  [[nodiscard]] bool arrays_travel_with_task() const { return array_bytes_ <= parameter_array_bytes; }

  /// Calls use(parameter) with this step's task. Writes arrays that are too large for parameters to staged_,
  /// which the step then copies to the device.
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
  void queue(const task_parameter<Task, In>& parameter) {
    if (staged_) {
      check(cudaMemcpyAsync(arrays_.template as<void>(), staged_->template as<void>(), array_bytes_,
                            cudaMemcpyHostToDevice, on_.get()),
            "copying broadcast arrays");
    }
    stamped_result tells;
    if (told_) tells = {told_->template as<unsigned long long>(), step_};
    pass_.template run<In>(pass_.arguments_for(parameter, data_.get(), bad_keys_.template as<unsigned>()),
                           result_.template as<void>(), totals::replace, tells);
    if (!told_) {
      check(cudaMemcpyAsync(host_result_.template as<void>(), result_.template as<void>(), result_.size(),
                            cudaMemcpyDeviceToHost, on_.get()),
            "copying dense results");
    }
  }

  /// Takes the words of this step that have arrived, and returns whether all have.
  [[nodiscard]] bool take_told() {
    const auto* const words = told_->template as<const volatile std::uint64_t>();
    for (; taken_ < result_.size() / sizeof(unsigned); ++taken_) {
      const std::uint64_t word = words[taken_];
      if (word >> 32 != step_) return false;
      host_result_.template as<unsigned>()[taken_] = static_cast<unsigned>(word);
    }
    return true;
  }

  int device_;
  std::uint64_t array_bytes_;
  std::uint64_t keys_;
  stream on_;
  resident_part data_;
  pass_for<Task> pass_;
  pinned_buffer bad_keys_;  // kernels set it to 1 if a key is too large
  device_buffer result_;
  pinned_buffer host_result_;
  std::optional<pinned_buffer> told_;  // the last kernel's copy of a small result
  unsigned step_ = 0;                  // the number of the last step begun
  std::uint64_t taken_ = 0;            // words of this step that have arrived
  Task on_device_;
  device_buffer arrays_;                 // arrays too large for kernel parameters
  std::optional<pinned_buffer> staged_;  // the host's copy of arrays_
  event started_;
  event ended_;
  bool timed_ = false;
  bool planned_ = false;
};

template <resident_task Task>
std::unique_ptr<resident_loop<Task>> make_resident(const Task& task, const chunk& part, int device) {
  return std::make_unique<device_loop<Task>>(task, part, device);
}

}  // namespace duomap::gpu
