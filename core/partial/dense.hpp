// The partial of dense keys, or of no key (one dense key), under a commutative reduction.
// host only
#pragma once

#include "core/task.hpp"
#include "core/worker_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace duomap {

/// A value for each key 0 .. n - 1 that was emitted at least once.
template <class V>
class dense_partial {
 public:
  explicit dense_partial(std::uint64_t keys = 0) : values_(keys), present_(keys, 0) {}

  [[nodiscard]] std::uint64_t size() const noexcept { return values_.size(); }
  [[nodiscard]] bool present(std::uint64_t key) const { return present_[key] != 0; }
  [[nodiscard]] const V& operator[](std::uint64_t key) const { return values_[key].value; }

  template <class Reduce>
  void reduce(std::uint64_t key, const V& value, const Reduce& op) {
    values_[key].value = present_[key] != 0 ? op(values_[key].value, value) : value;
    present_[key] = 1;
  }

  /// The same for keys in a row, values[i] for key first + i.
  template <class Number, class Reduce>
  void reduce_block(std::uint64_t first, const Number* values, std::uint64_t count, const Reduce& op) {
    // All were emitted before, nearly always: a loop without conditions, which compilers vectorize.
    if (count > 0 && std::memchr(present_.data() + first, 0, count) == nullptr) {
      cell* const to = values_.data() + first;
      for (std::uint64_t i = 0; i < count; ++i) to[i].value = op(to[i].value, static_cast<V>(values[i]));
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) reduce(first + i, static_cast<V>(values[i]), op);
  }

 private:
  // In a struct, because the elements of std::vector<bool> cannot be referred to.
  struct cell {
    V value;
  };

  std::vector<cell> values_;
  std::vector<unsigned char> present_;
};

/// Merges partials of several workers or backends, ranges of keys in parallel.
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
