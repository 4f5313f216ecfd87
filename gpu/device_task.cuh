// Copies a task's broadcast arrays and its early stop to a device.
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

/// A visitor that takes any broadcast<T>. It is a class, because nvcc's two compilers would disagree on
/// has_broadcast if it were a lambda.
struct any_array {
  template <class T>
  DUOMAP_HD void operator()(broadcast<T>& /*array*/) const {}
};

}  // namespace detail

template <class Task>
concept has_broadcast = requires(Task t, detail::any_array visit) {
  t.visit_broadcast(visit);
};

/// Owns the device's copies of a task's broadcast arrays, and the place where its map asks for a stop.
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
      !maps_itself || has_broadcast<Task> ||
          !duomap::detail::has_place_for<Task, duomap::detail::broadcast_member>(),
      "the task has a member duomap::broadcast<T>, and nothing says that it is to be copied to GPUs: "
      "expected 'DUOMAP_HD void visit_broadcast(auto&& visit) { visit(MEMBER); }'");
  static_assert(
      !maps_itself || may_stop<Task> || !has_member_of<Task, early_stop>(),
      "the task has a member duomap::early_stop of another name than the one that is read: expected "
      "'duomap::early_stop stop'");

 public:
  /// Queues copies of the arrays, which must stay unchanged until the stream has passed the copies.
  device_task(const Task& task, const stream& on) : task_(task) {
    if constexpr (has_broadcast<Task>) {
      task_.visit_broadcast([&]<class T>(broadcast<T>& array) {
        arrays_.emplace_back(array.size * sizeof(T), on);
        if (array.size > 0) {
          // cudaMemcpyDefault, because the caller's array may already be in device memory.
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

  /// Queues a copy of the place where a map asks for a stop.
  void read_stop(const stream& on) {
    if constexpr (may_stop<Task>) {
      check(cudaMemcpyAsync(seen_stop_->as<void>(), first_stop_.as<void>(), sizeof early_stop::never,
                            cudaMemcpyDeviceToHost, on.get()),
            "reading whether a map stops the run");
    }
  }

  /// Call it when the copy of read_stop() is done.
  /// @throws stopped_by_map
  void check_stop() const {
    if constexpr (may_stop<Task>) {
      const unsigned long long place = *seen_stop_->as<unsigned long long>();
      if (place == early_stop::never) return;
      throw stopped_by_map(static_cast<std::uint32_t>(place >> early_stop::offset_bits),
                           place & early_stop::most_offset, "");
    }
  }

  /// The task for kernels. Its arrays are in device memory, where the host cannot read them.
  [[nodiscard]] const Task& get() const noexcept { return task_; }

 private:
  Task task_;
  std::vector<device_buffer> arrays_;
  device_buffer first_stop_;
  std::unique_ptr<pinned_buffer> seen_stop_;
};

}  // namespace duomap::gpu
