// A queue whose elements serve again: how an engine keeps what belongs to each of its open chunks. host only
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::gpu {

/// First in, first out; used by one thread. An element that is taken out is kept for a later one, because
/// making its events and its memory takes longer.
template <class T>
class recycling_queue {
 public:
  /// An element to be filled: one that was taken out, as it was then, or a new one of `arguments`.
  template <class... Arguments>
  [[nodiscard]] std::unique_ptr<T> spare(Arguments&&... arguments) {
    if (spare_.empty()) return std::make_unique<T>(std::forward<Arguments>(arguments)...);
    std::unique_ptr<T> one = std::move(spare_.back());
    spare_.pop_back();
    return one;
  }

  void push(std::unique_ptr<T> newest) { all_.push_back(std::move(newest)); }

  /// The oldest element, which there must be.
  [[nodiscard]] T& front() { return *all_.front(); }

  /// Takes the oldest element out.
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
