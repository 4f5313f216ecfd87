// The partial of top_k: the best k values of each dense key, or of all values when there is no key.
// host only
#pragma once

#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace duomap {

/// The best k of all values that add() got.
template <class V, class Better>
class best_values {
 public:
  /// Keeps `value` if it is among the best `op.k` so far. The values are a heap, with the worst value on top.
  void add(const V& value, const top_k<V, Better>& op) {
    if (kept_.size() < op.k) {
      kept_.push_back(value);
      std::push_heap(kept_.begin(), kept_.end(), op.better);
    } else if (op.k > 0 && op.better(value, kept_.front())) {
      std::pop_heap(kept_.begin(), kept_.end(), op.better);
      kept_.back() = value;
      std::push_heap(kept_.begin(), kept_.end(), op.better);
    }
  }

  /// Whether add() of a value would now move all values to a list of twice the capacity.
  [[nodiscard]] bool grows(const top_k<V, Better>& op) const noexcept {
    return kept_.size() == kept_.capacity() && kept_.size() < op.k;
  }

  /// The memory of the list of kept values.
  [[nodiscard]] std::uint64_t capacity_bytes() const noexcept { return kept_.capacity() * sizeof(V); }

  void add(const best_values& other, const top_k<V, Better>& op) {
    for (const V& value : other.kept_) add(value, op);
  }

  /// The worst of k values, which a new value must beat; nullptr if there are fewer than k values.
  [[nodiscard]] const V* bound(const top_k<V, Better>& op) const {
    return kept_.size() == op.k && op.k > 0 ? &kept_.front() : nullptr;
  }

  [[nodiscard]] bool empty() const noexcept { return kept_.empty(); }

  /// The kept values, best first.
  [[nodiscard]] std::vector<V> ranked(const top_k<V, Better>& op) const {
    // sort_heap() and not std::sort(): std::sort() leaves its range if the values have no order, such as NaN.
    std::vector<V> values = kept_;
    std::sort_heap(values.begin(), values.end(), op.better);
    return values;
  }

 private:
  std::vector<V> kept_;
};

/// One best_values per key.
template <class V, class Better>
using top_partial = std::vector<best_values<V, Better>>;

/// Merges partials of several workers or backends, keys in parallel.
template <class Task, class V, class Better>
[[nodiscard]] top_partial<V, Better> merge_partials(std::vector<top_partial<V, Better>> partials,
                                                    const Task& task, worker_pool& pool) {
  top_partial<V, Better> merged = std::move(partials.front());
  const auto op = reduction_of(task);
  pool.for_each_index(merged.size(), [&](std::uint64_t key) {
    for (std::size_t part = 1; part < partials.size(); ++part) merged[key].add(partials[part][key], op);
  });
  return merged;
}

}  // namespace duomap
