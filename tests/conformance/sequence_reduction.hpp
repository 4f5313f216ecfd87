// A reduction that notices any change of order, and its value: for tests that ask in which order values met.
#pragma once

#include <cstdint>

namespace duomap::test {

/// What a sequence of numbers folds to: a polynomial of them (modulo 2^64) and the weight of the next one in
/// front.
struct sequence {
  std::uint64_t weight = 1;
  std::uint64_t sum = 0;
  friend bool operator==(const sequence&, const sequence&) = default;
};

/// The sequence of one number.
[[nodiscard]] constexpr sequence sequence_of(std::uint64_t number) {
  return {0x2545F4914F6CDD1Du, number + 1};
}

/// One sequence behind the other: associative, not commutative. `Commutative` is what it declares, so that
/// containers for commutative reductions, which keep the order within one worker, can be asked for it too.
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
