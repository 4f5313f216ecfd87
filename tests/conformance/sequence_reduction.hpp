// Declares a reduction whose result shows any change of the order in which values meet.
#pragma once

#include <cstdint>

namespace duomap::test {

/// A sequence of numbers, as a polynomial of them modulo 2^64; `weight` is the weight of a number put in
/// front.
struct sequence {
  std::uint64_t weight = 1;
  std::uint64_t sum = 0;
  friend bool operator==(const sequence&, const sequence&) = default;
};

/// The sequence with one number.
[[nodiscard]] constexpr sequence sequence_of(std::uint64_t number) {
  return {0x2545F4914F6CDD1Du, number + 1};
}

/// Appends a sequence to another, which is associative but not commutative. `Commutative` is what it
/// declares: with true, it also tests containers for commutative reductions, which keep the order within a
/// worker.
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
