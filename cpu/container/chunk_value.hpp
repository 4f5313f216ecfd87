// Folds the emits of a chunk into one value.
#pragma once

#include "core/reduce.hpp"

#include <cstdint>

namespace duomap::cpu {

/// The emitter of tasks without keys. Each loop over a chunk has an emitter as a local variable, so that the
/// value can stay in registers.
template <reduction Reduce>
class chunk_value {
 public:
  using value_type = typename Reduce::value_type;

  explicit chunk_value(const Reduce& reduce) : reduce_(reduce) {
    if constexpr (has_identity<Reduce>) value_ = reduce.identity();
  }

  void operator()(const emit_type<Reduce>& emitted) {
    if constexpr (has_identity<Reduce>) {
      fold_emit(reduce_, value_, true, emitted);
      // A count needs no branch if map emits under a condition. With a bool in its place, a Monte Carlo run
      // takes 3.7 times as long.
      ++emits_;
    } else {
      if (emits_ == 0) [[unlikely]] {
        value_ = emitted;
        emits_ = 1;
      } else {
        value_ = reduce_(value_, emitted);
      }
    }
  }

  [[nodiscard]] bool any() const noexcept { return emits_ != 0; }
  /// The value of all emits. Requires any().
  [[nodiscard]] const value_type& value() const noexcept { return value_; }

 private:
  value_type value_{};
  std::uint64_t emits_ = 0;  // 0: there is no value yet
  [[no_unique_address]] Reduce reduce_;
};

}  // namespace duomap::cpu
