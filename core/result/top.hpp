// The result of a top-k task.
// host only
#pragma once

#include "core/partial/partial_for.hpp"
#include "core/partial/top.hpp"
#include "core/task.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

/// The best values of each key. If there is no key, they are those of key 0.
template <class Task>
class top_result {
 public:
  using value_type = typename Task::reduce::value_type;

  top_result(const Task& task, partial_for<Task> best)
    : reduce_(reduction_of(task)), best_(std::move(best)) {}

  /// Number of keys.
  [[nodiscard]] std::uint64_t size() const noexcept { return best_.size(); }

  /// The best values of a key, best first. They are fewer than k if map emitted fewer.
  [[nodiscard]] std::vector<value_type> operator[](std::uint64_t key) const {
    return best_[key].ranked(reduce_);
  }

  /// Whether anything was emitted under the key.
  [[nodiscard]] bool contains(std::uint64_t key) const { return key < size() && !best_[key].empty(); }

  /// The best values of a key, or nothing when nothing was emitted under it.
  [[nodiscard]] std::optional<std::vector<value_type>> find(std::uint64_t key) const {
    if (!contains(key)) return std::nullopt;
    return (*this)[key];
  }

  /// The best values of a key. @throws std::out_of_range when nothing was emitted under it
  [[nodiscard]] std::vector<value_type> at(std::uint64_t key) const {
    if (!contains(key)) throw std::out_of_range("nothing was emitted under key " + std::to_string(key));
    return (*this)[key];
  }

  /// Calls use(key, value) for each value: keys ascending, and the values of a key best first.
  template <class Use>
  void for_each(Use&& use) const {
    for (std::uint64_t key = 0; key < size(); ++key) {
      for (const value_type& value : (*this)[key]) use(key, value);
    }
  }

 private:
  typename Task::reduce reduce_;
  partial_for<Task> best_;
};

}  // namespace duomap
