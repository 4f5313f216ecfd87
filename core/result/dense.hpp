// The result of dense keys, or of no key, under a reduction.
// host only
#pragma once

#include "core/error.hpp"
#include "core/partial/dense.hpp"
#include "core/result/row.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <utility>

namespace duomap {

/// A value for each dense key that was emitted; for no_key, the one value.
template <class Task>
class dense_result {
 public:
  using value_type = decltype(finished(std::declval<Task>(), std::uint64_t{},
                                       std::declval<typename Task::reduce::value_type>()));

  dense_result(const Task& task, dense_partial<typename Task::reduce::value_type> reduced)
    : task_(task), reduced_(std::move(reduced)) {}

  /// Number of keys there could be.
  [[nodiscard]] std::uint64_t size() const noexcept { return reduced_.size(); }

  /// Whether anything was emitted under the key.
  [[nodiscard]] bool present(std::uint64_t key) const { return key < size() && reduced_.present(key); }

  /// The value of a key. A key nobody emitted has the reduction's identity, or requires present(key) if there
  /// is none. A key that is not below size() is a logic_error.
  [[nodiscard]] value_type operator[](std::uint64_t key) const {
    expects(key < size(), "no key of the result: keys are below size()");
    if constexpr (has_identity<typename Task::reduce>) {
      if (!present(key)) return finished(task_, key, reduction_of(task_).identity());
    }
    expects(present(key),
            "nothing was emitted under this key, and its reduction has no identity; ask present() first");
    return finished(task_, key, reduced_[key]);
  }

  /// Calls use(key, value) for every key that was emitted, ascending.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t key = 0; key < size(); ++key) {
      if (present(key)) use(key, finished(task_, key, reduced_[key]));
    }
  }

 private:
  Task task_;
  dense_partial<typename Task::reduce::value_type> reduced_;
};

}  // namespace duomap
