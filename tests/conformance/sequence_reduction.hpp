// Declares a reduction that notices any change of order, for tests of the order in which values meet.
#pragma once

#include <cstdint>

namespace duomap::test {

/// The value of a sequence of numbers: a polynomial of the numbers (modulo 2^64), and the weight of the next
/// number in front.
struct sequence {
  std::uint64_t weight = 1;
  std::uint64_t sum = 0;
  friend bool operator==(const sequence&, const sequence&) = default;
};

/// The sequence of one number.
[[nodiscard]] constexpr sequence sequence_of(std::uint64_t number) {
  return {0x2545F4914F6CDD1Du, number + 1};
}

/// Appends one sequence to the other, which is associative and not commutative. `Commutative` is its
/// declaration, so that containers for commutative reductions, which keep the order within one worker, can be
/// asked for it too.
template <bool Commutative>
struct concatenation {
  using value_type = sequence;
  static constexpr bool associative = true;
  static constexpr bool commutative = Commutative;
  [[nodiscard]] constexpr sequence operator()(const sequence& a, const sequence& b) const {
    return {a.weight * b.weight, a.sum * b.weight + b.sum};
  }
};

}  // namespace duomap::test
