// Keeps removed elements of a queue for reuse: an engine's open chunks with their memory and events. host
// only
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// A queue: first in, first out; used by one thread. The queue keeps a removed element, because making a new
/// element with events and memory takes longer.
template <class T>
class recycling_queue {
 public:
  /// Returns an element to fill: a removed one with its old contents, or a new one made from `arguments`.
  template <class... Arguments>
  [[nodiscard]] std::unique_ptr<T> spare(Arguments&&... arguments) {
    if (spare_.empty()) return std::make_unique<T>(std::forward<Arguments>(arguments)...);
    std::unique_ptr<T> one = std::move(spare_.back());
    spare_.pop_back();
    return one;
  }

  void push(std::unique_ptr<T> newest) { all_.push_back(std::move(newest)); }

  /// The oldest element. The queue must not be empty.
  [[nodiscard]] T& front() { return *all_.front(); }

  /// Removes the oldest element and keeps it for spare().
  void pop() {
    spare_.push_back(std::move(all_.front()));
    all_.pop_front();
  }

  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

 private:
  std::deque<std::unique_ptr<T>> all_;
  std::vector<std::unique_ptr<T>> spare_;
};

}  // namespace duomap::gpu
