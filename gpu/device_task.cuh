// A task whose broadcast arrays, and what else its map may touch, are on a device.
#pragma once

#include "core/early_stop.hpp"
#include "core/task.hpp"
#include "core/task_members.hpp"
#include "gpu/engines/custom/custom_engine.hpp"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::gpu {

namespace detail {

/// Takes any broadcast<T>. No lambda, because nvcc's two compilers would disagree on has_broadcast.
struct any_array {
  template <class T>
  DUOMAP_HD void operator()(broadcast<T>& /*array*/) const {}
};

}  // namespace detail

/// Tasks that have arrays.
template <class Task>
concept has_broadcast = requires(Task t, detail::any_array visit) {
  t.visit_broadcast(visit);
};

namespace detail {

// Any broadcast<T>, for members that are (core/task_members.hpp).
struct broadcast_member {
  template <class T>
  operator broadcast<T>() const;
};

}  // namespace detail

/// Owns the device's copies of a task's arrays.
template <map_reduce_task Task>
class device_task {
  static constexpr bool maps_itself = !has_custom_engine<Task>;
  static_assert(
      !maps_itself || (!has_pointer_member<Task>() && !views_bytes<Task>()),
      "the task has a member that is a pointer or a view, and a GPU cannot read what it shows: expected "
      "a member duomap::broadcast<T>, which is copied to each GPU, and 'DUOMAP_HD void "
      "visit_broadcast(auto&& visit) "
      "{ visit(MEMBER); }'");
  static_assert(
      !maps_itself || has_broadcast<Task> || !duomap::detail::has_place_for<Task, detail::broadcast_member>(),
      "the task has a member duomap::broadcast<T>, and nothing says that it is to be copied to GPUs: "
      "expected 'DUOMAP_HD void visit_broadcast(auto&& visit) { visit(MEMBER); }'");
  static_assert(
      !maps_itself || may_stop<Task> || !has_member_of<Task, early_stop>(),
      "the task has a member duomap::early_stop of another name than the one that is read: expected "
      "'duomap::early_stop stop'");

 public:
  /// The arrays have been read when what is queued on `on` so far is done.
  device_task(const Task& task, const stream& on) : task_(task) {
    if constexpr (has_broadcast<Task>) {
      task_.visit_broadcast([&]<class T>(broadcast<T>& array) {
        arrays_.emplace_back(array.size * sizeof(T), on);
        if (array.size > 0) {
          // The arrays of a caller may lie in device memory already.
          check(cudaMemcpyAsync(arrays_.back().template as<void>(), array.data, array.size * sizeof(T),
                                cudaMemcpyDefault, on.get()),
                "copying a broadcast array");
        }
        array.data = arrays_.back().template as<T>();
      });
    }
    if constexpr (may_stop<Task>) {
      first_stop_ = device_buffer(sizeof early_stop::never, on);
      seen_stop_ = std::make_unique<pinned_buffer>(sizeof early_stop::never);
      *seen_stop_->as<unsigned long long>() = early_stop::never;
      check(cudaMemsetAsync(first_stop_.as<void>(), 0xFF, sizeof early_stop::never, on.get()),
            "clearing the place of a stop");
      task_.stop = early_stop(first_stop_.as<unsigned long long>());
    }
  }

  /// Queues reading whether a map has asked for a stop.
  void read_stop(const stream& on) {
    if constexpr (may_stop<Task>) {
      check(cudaMemcpyAsync(seen_stop_->as<void>(), first_stop_.as<void>(), sizeof early_stop::never,
                            cudaMemcpyDeviceToHost, on.get()),
            "reading whether a map stops the run");
    }
  }

  /// When what read_stop() queued is done.
  /// @throws stopped_by_map
  void check_stop() const {
    if constexpr (may_stop<Task>) {
      const unsigned long long place = *seen_stop_->as<unsigned long long>();
      if (place == early_stop::never) return;
      throw stopped_by_map(static_cast<std::uint32_t>(place >> early_stop::offset_bits),
                           place & early_stop::most_offset, "");
    }
  }

  /// For kernels: its arrays can be read on the device only.
  [[nodiscard]] const Task& get() const noexcept { return task_; }

 private:
  Task task_;
  std::vector<device_buffer> arrays_;
  device_buffer first_stop_;
  std::unique_ptr<pinned_buffer> seen_stop_;
};

}  // namespace duomap::gpu
