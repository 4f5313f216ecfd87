// The partial of dense keys under a commutative reduction. A task without keys has one dense key.
// host only
#pragma once

#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace duomap {

/// A value for each key below n that map emitted. The other keys have the value `first`.
template <class V>
class dense_partial {
 public:
  /// A struct around a value, because nothing can refer to an element of std::vector<bool>.
  struct cell {
    V value;
  };

  explicit dense_partial(std::uint64_t keys = 0, V first = {}) : values_(keys, cell{first}), present_(keys) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return values_.size(); }
  [[nodiscard]] bool present(std::uint64_t key) const { return present_[key] != 0; }
  [[nodiscard]] const V& operator[](std::uint64_t key) const { return values_[key].value; }

  template <class Reduce>
  void reduce(std::uint64_t key, const V& value, const Reduce& op) {
    values_[key].value = present_[key] != 0 ? op(values_[key].value, value) : value;
    present_[key] = 1;
  }

  /// The first key, from `from` on, that has no value. The caller knows that all keys below `from` have one.
  [[nodiscard]] std::uint64_t first_absent_from(std::uint64_t from) const {
    while (from < size() && present(from)) ++from;
    return from;
  }

  /// The address of the values. It is valid until the partial is moved or destroyed.
  [[nodiscard]] cell* cells() noexcept { return values_.data(); }

  /// The arrays of the partial, for code that reduces values itself.
  struct memory {
    cell* cells;
    unsigned char* present;  ///< per key: 0 if it has no value; null: all keys have one
  };
  [[nodiscard]] memory in_memory() noexcept { return {values_.data(), present_.data()}; }

 private:
  std::vector<cell> values_;
  std::vector<unsigned char> present_;
};

/// Merges partials of several workers or backends. The workers share the keys in ranges.
template <class Task, class V>
[[nodiscard]] dense_partial<V> merge_partials(std::vector<dense_partial<V>> partials, const Task& task,
                                              worker_pool& pool) {
  dense_partial<V> merged = std::move(partials.front());
  const auto op = reduction_of(task);
  constexpr std::uint64_t range = 4096;
  pool.for_each_index((merged.size() + range - 1) / range, [&](std::uint64_t index) {
    const std::uint64_t end = std::min(merged.size(), (index + 1) * range);
    for (std::size_t part = 1; part < partials.size(); ++part) {
      for (std::uint64_t key = index * range; key < end; ++key) {
        if (partials[part].present(key)) merged.reduce(key, partials[part][key], op);
      }
    }
  });
  return merged;
}

}  // namespace duomap
