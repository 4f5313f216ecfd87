// Reductions: associative operations that declare their laws. Also the types that a task may use instead.
#pragma once

#include "core/config.hpp"

#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace duomap {

// A reduction is a type with
//   using value_type = V;                        trivially copyable, with a default constructor
//   static constexpr bool associative = true;    a promise, checked by verify
//   static constexpr bool commutative = ...;     if false, values are combined in input order
//   V operator()(const V& a, const V& b) const;  const, host and device
//   V identity() const;                          optional: combining it with v gives v
//   using item_type = I;                         optional, if an emit changes only a little of a value: map
//                                                emits items, which are trivially copyable
//   void add(V& into, const I& item) const;      required with item_type, as is identity(); host and device.
//                                                It does to `into` what combining it with the value of the
//                                                item would do; that value is identity() with the item added
//   static constexpr bool exact = true;          optional: rounds nothing, so that deterministic mode
//                                                (core/deterministic.hpp) may use it as it is

/// a + b. Integers wrap around.
template <class V>
struct sum {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr V identity() const { return V{}; }
  [[nodiscard]] DUOMAP_HD constexpr V operator()(const V& a, const V& b) const {
    // As unsigned numbers, because signed numbers must not overflow, and sums of a forged partial may.
    if constexpr (std::signed_integral<V>)
      return static_cast<V>(std::make_unsigned_t<V>(a) + std::make_unsigned_t<V>(b));
    else
      return static_cast<V>(a + b);
  }
};

/// The smaller of two values. If one is NaN, the other one. For equal values, such as 0.0 and -0.0, either of
/// them: to rank them would take twice the time.
template <class V>
struct minimum {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr V operator()(const V& a, const V& b) const {
    if constexpr (std::floating_point<V>) return b != b || a < b ? a : b;
    return b < a ? b : a;
  }
};

/// The larger of two values. NaN and equal values are treated as in minimum.
template <class V>
struct maximum {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr V operator()(const V& a, const V& b) const {
    if constexpr (std::floating_point<V>) return b != b || b < a ? a : b;
    return a < b ? b : a;
  }
};

/// Keeps the value that comes first in the input. So it removes duplicates: one value per key stays.
template <class V>
struct keep_first {
  using value_type = V;
  static constexpr bool associative = true;
  static constexpr bool commutative = false;
  [[nodiscard]] DUOMAP_HD constexpr V operator()(const V& a, const V& /*b*/) const { return a; }
};

/// A score and the index that has it, for argmin and argmax.
template <class Score>
struct scored {
  Score score;
  std::uint64_t index;
  friend bool operator==(const scored&, const scored&) = default;
};

/// The smallest score. Of equal scores, or if all are NaN, the one with the smallest index, so that the
/// answer does not depend on the order of work.
template <class Score>
struct argmin {
  using value_type = scored<Score>;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr value_type operator()(const value_type& a, const value_type& b) const {
    if (a.score < b.score || (b.score != b.score && a.score == a.score)) return a;
    return b.score < a.score || (a.score != a.score && b.score == b.score) || b.index < a.index ? b : a;
  }
};

/// The largest score. Of equal scores, or if all are NaN, the one with the smallest index.
template <class Score>
struct argmax {
  using value_type = scored<Score>;
  static constexpr bool associative = true;
  static constexpr bool commutative = true;
  [[nodiscard]] DUOMAP_HD constexpr value_type operator()(const value_type& a, const value_type& b) const {
    if (b.score < a.score || (b.score != b.score && a.score == a.score)) return a;
    return a.score < b.score || (a.score != a.score && b.score == b.score) || b.index < a.index ? b : a;
  }
};

/// Replaces a reduction: several reductions, to which one map gives values by emit(slot<I>, value) (Catanzaro
/// et al., section 4: predicated reductions). Requires the key kind no_key.
template <class... Reductions>
struct slots {
  static constexpr bool associative = (Reductions::associative && ...);
  static constexpr bool commutative = (Reductions::commutative && ...);
  std::tuple<Reductions...> reductions;
};

/// Names the slot to which an emit goes.
template <std::size_t I>
inline constexpr std::integral_constant<std::size_t, I> slot{};

/// Replaces a reduction: every emitted (key, value) is kept as a row.
template <class V>
struct collect {
  using value_type = V;
  /// If true, rows are sorted by key, with a key's values in input order. If false, all rows are in input
  /// order.
  bool grouped = false;
};

/// Replaces a reduction: keeps only the best k values, best first. With the key kind dense, k values for each
/// key; with no_key, k values in all. `Better` is a strict weak order that must rank any two different
/// values, so that the answer does not depend on the order of work.
template <class V, class Better>
struct top_k {
  using value_type = V;
  std::uint64_t k = 0;
  Better better{};
};

namespace detail {

template <class T>
inline constexpr bool is_slots = false;
template <class... R>
inline constexpr bool is_slots<slots<R...>> = true;

template <class T>
inline constexpr bool is_collect = false;
template <class V>
inline constexpr bool is_collect<collect<V>> = true;

template <class T>
inline constexpr bool is_top_k = false;
template <class V, class B>
inline constexpr bool is_top_k<top_k<V, B>> = true;

}  // namespace detail

/// The concepts of a reduction, one per requirement, so that a compiler error names the missing one.
template <class R>
concept names_value_type = requires {
  typename R::value_type;
};

template <class R>
concept has_trivially_copyable_value =
    names_value_type<R> && std::default_initializable<typename R::value_type> &&
    std::is_trivially_copyable_v<typename R::value_type>;

template <class R>
concept declares_associative = requires {
  requires R::associative;
};

template <class R>
concept declares_commutative = requires {
  { R::commutative } -> std::convertible_to<bool>;
};

template <class R>
concept combines_two_values = names_value_type<R> && requires(const R r, const typename R::value_type& v) {
  { r(v, v) } -> std::convertible_to<typename R::value_type>;
};

/// An associative operation that declares its laws.
template <class R>
concept reduction = has_trivially_copyable_value<R> && declares_associative<R> && declares_commutative<R> &&
    combines_two_values<R>;

template <class R>
concept has_identity = reduction<R> && requires(const R r) {
  { r.identity() } -> std::convertible_to<typename R::value_type>;
};

/// Reductions to which map emits items, not values.
template <class R>
concept takes_items = requires {
  typename R::item_type;
};

/// The type that map emits: the reduction's item if it has one, else its value.
template <class R>
struct emit_of : std::type_identity<typename R::value_type> {};
template <takes_items R>
struct emit_of<R> : std::type_identity<typename R::item_type> {};
template <class R>
using emit_type = typename emit_of<R>::type;

/// Folds an emit into a value, or makes a value of the emit if there is no value yet.
template <class R>
DUOMAP_HD constexpr void fold_emit(const R& reduce, typename R::value_type& into, bool is_there,
                                   const emit_type<R>& emitted) {
  if constexpr (takes_items<R>) {
    if (!is_there) into = reduce.identity();
    reduce.add(into, emitted);
  } else if constexpr (requires { reduce.fold_fields(into, emitted); }) {
    is_there ? reduce.fold_fields(into, emitted) : static_cast<void>(into = emitted);
  } else {
    into = is_there ? typename R::value_type(reduce(into, emitted)) : emitted;
  }
}

template <class R>
[[nodiscard]] DUOMAP_HD constexpr decltype(auto) value_of_emit(const R& reduce, const emit_type<R>& emitted) {
  if constexpr (takes_items<R>) {
    typename R::value_type one = reduce.identity();
    reduce.add(one, emitted);
    return one;
  } else {
    return (emitted);
  }
}

}  // namespace duomap
