// Tries the laws of a reduction on values.
// host only
#pragma once

#include "core/reduce.hpp"
#include "core/verify/same_value.hpp"
#include "core/verify/value_text.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

/// A law, and the result of trying it.
struct law_check {
  explicit law_check(std::string name) : law(std::move(name)) {}

  std::string law;             ///< "associative", "commutative", "identity", ...
  std::uint64_t trials = 0;    ///< the number of trials; 0: the input gave nothing to try it on
  std::string found = {};      ///< for "members read": the members of the task that duomap uses
  std::string counterexample;  ///< values for which the law fails; empty if it holds
  [[nodiscard]] bool holds() const noexcept { return counterexample.empty(); }
};

/// Tries the laws of a reduction on values that map emitted for the task's own input.
template <reduction Reduce>
class law_trials {
 public:
  using V = typename Reduce::value_type;

  law_trials(const Reduce& reduce, std::vector<emit_type<Reduce>> emits, std::uint64_t seed)
    : reduce_(reduce), emits_(std::move(emits)), random_(seed) {
    for (const auto& one : emits_) values_.push_back(value_of_emit(reduce_, one));
    // Many tasks emit only the value 1, to count. Values that were reduced from several emits show more.
    const std::size_t drawn = values_.size();
    for (std::size_t i = 0; i < drawn; ++i) values_.push_back(reduce_(pick(), pick()));
  }

  [[nodiscard]] std::vector<law_check> run(std::uint64_t trials) {
    std::vector<law_check> checks;
    checks.push_back(associative(trials));
    if constexpr (Reduce::commutative) checks.push_back(commutative(trials));
    if constexpr (has_identity<Reduce>) checks.push_back(identity());
    if constexpr (takes_items<Reduce>) checks.push_back(adding(trials));
    return checks;
  }

 private:
  [[nodiscard]] const V& pick() { return values_[random_() % values_.size()]; }

  law_check associative(std::uint64_t trials) {
    law_check check("associative");
    for (; !values_.empty() && check.trials < trials && check.holds(); ++check.trials) {
      const V a = pick(), b = pick(), c = pick();
      const V left = reduce_(reduce_(a, b), c);
      const V right = reduce_(a, reduce_(b, c));
      if (!same_value(reduce_, left, right, {&a, &b, &c, &left, &right})) {
        check.counterexample = "a = " + value_text(a) + ", b = " + value_text(b) + ", c = " + value_text(c) +
                               ": (a.b).c = " + value_text(left) + " but a.(b.c) = " + value_text(right);
      }
    }
    return check;
  }

  law_check commutative(std::uint64_t trials) {
    law_check check("commutative");
    for (; !values_.empty() && check.trials < trials && check.holds(); ++check.trials) {
      const V a = pick(), b = pick();
      const V left = reduce_(a, b), right = reduce_(b, a);
      if (!same_value(reduce_, left, right, {&a, &b, &left})) {
        check.counterexample = "a = " + value_text(a) + ", b = " + value_text(b) +
                               ": a.b = " + value_text(left) + " but b.a = " + value_text(right);
      }
    }
    return check;
  }

  law_check identity() {
    law_check check("identity");
    const V one = reduce_.identity();
    for (const V& value : values_) {
      ++check.trials;
      const V before = reduce_(one, value), behind = reduce_(value, one);
      if (same_value(reduce_, before, value, {&value}) && same_value(reduce_, behind, value, {&value})) {
        continue;
      }
      check.counterexample = "e = " + value_text(one) + ", a = " + value_text(value) +
                             ": e.a = " + value_text(before) + " and a.e = " + value_text(behind);
      break;
    }
    return check;
  }

  /// Adding an item to a value must give the same as combining the value with the value of the item.
  law_check adding(std::uint64_t trials) {
    law_check check("adding items");
    for (; !emits_.empty() && check.trials < trials && check.holds(); ++check.trials) {
      const auto& item = emits_[random_() % emits_.size()];
      const V a = pick(), combined = reduce_(a, value_of_emit(reduce_, item));
      V added = a;
      reduce_.add(added, item);
      if (!same_value(reduce_, added, combined, {&a, &combined})) {
        check.counterexample = "a = " + value_text(a) + ", item = " + value_text(item) + ": add gives " +
                               value_text(added) + " but a.(the item's value) = " + value_text(combined);
      }
    }
    return check;
  }

  Reduce reduce_;
  std::vector<emit_type<Reduce>> emits_;
  std::vector<V> values_;
  std::mt19937_64 random_;
};

}  // namespace duomap
