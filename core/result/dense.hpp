// The result of dense keys, or of no key, under a reduction.
// host only
#pragma once

#include "core/error.hpp"
#include "core/partial/dense.hpp"
#include "core/result/row.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace duomap {

/// A value for each dense key that map emitted. Under no_key there is one value.
template <class Task>
class dense_result {
 public:
  using value_type = decltype(finished(std::declval<Task>(), std::uint64_t{},
                                       std::declval<typename Task::reduce::value_type>()));

  dense_result(const Task& task, dense_partial<typename Task::reduce::value_type> reduced)
    : task_(task), reduced_(std::move(reduced)) {}

  /// The number of possible keys, whether map emitted them or not.
  [[nodiscard]] std::uint64_t size() const noexcept { return reduced_.size(); }

  /// Whether anything was emitted under the key.
  [[nodiscard]] bool contains(std::uint64_t key) const { return key < size() && reduced_.present(key); }

  /// The old name of contains(), from version 0.1. It works for one more version.
  [[deprecated("is called contains now")]] [[nodiscard]] bool present(std::uint64_t key) const {
    return contains(key);
  }

  /// The value of a key, or nothing when nothing was emitted under it.
  [[nodiscard]] std::optional<value_type> find(std::uint64_t key) const {
    if (!contains(key)) return std::nullopt;
    return finished(task_, key, reduced_[key]);
  }

  /// The value of a key. @throws std::out_of_range when nothing was emitted under it
  [[nodiscard]] value_type at(std::uint64_t key) const {
    if (!contains(key)) throw std::out_of_range("nothing was emitted under key " + std::to_string(key));
    return finished(task_, key, reduced_[key]);
  }

  /// The value of a key. If map never emitted the key, the identity of the reduction; if there is no
  /// identity, the call requires contains(key). A key that is not below size() is a logic_error.
  [[nodiscard]] value_type operator[](std::uint64_t key) const {
    expects(key < size(), "no key of the result: keys are below size()");
    if constexpr (has_identity<typename Task::reduce>) {
      if (!contains(key)) return finished(task_, key, reduction_of(task_).identity());
    }
    expects(contains(key),
            "nothing was emitted under this key, and its reduction has no identity; ask contains() first");
    return finished(task_, key, reduced_[key]);
  }

  /// Calls use(key, value) for every key that was emitted, ascending.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t key = 0; key < size(); ++key) {
      if (contains(key)) use(key, finished(task_, key, reduced_[key]));
    }
  }

 private:
  Task task_;
  dense_partial<typename Task::reduce::value_type> reduced_;
};

}  // namespace duomap
