// Deterministic mode: floating-point results with the same bits for any split of the input, any number of
// threads, any devices and engines. Programs include it beside duomap.hpp.
#pragma once

#include "core/partial/partial_for.hpp"
#include "core/reduce.hpp"
#include "core/reduce_fields.hpp"
#include "core/reproducible.hpp"
#include "core/reproducible_fields.hpp"
#include "core/result/row.hpp"
#include "core/task.hpp"
#include "core/total_order.hpp"

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace duomap {

namespace detail {

/// Whether a reduction gives the same answer for any grouping of the values: it compares or keeps values,
/// combines integers, or declares `exact`.
template <class R>
inline constexpr bool is_exact = requires {
  requires R::exact;
}
|| std::integral<typename R::value_type>;
template <class V>
inline constexpr bool is_exact<minimum<V>> = true;
template <class V>
inline constexpr bool is_exact<maximum<V>> = true;
template <class V>
inline constexpr bool is_exact<argmin<V>> = true;
template <class V>
inline constexpr bool is_exact<argmax<V>> = true;
template <class V>
inline constexpr bool is_exact<keep_first<V>> = true;
template <class V>
inline constexpr bool is_exact<collect<V>> = true;
template <class V, class Better>
inline constexpr bool is_exact<top_k<V, Better>> = true;
template <class... Fields>
inline constexpr bool is_exact<reduce_fields<Fields...>> =
    (std::integral<typename Fields::reduction::value_type> && ...);

/// The reduction that replaces R in deterministic mode, and how its values become values of R again.
template <class R>
struct exact_form {
  static_assert(is_exact<R>,
                "deterministic: a reduction of one's own over anything but integers must say whether its "
                "answer is the same for any grouping of the values: static constexpr bool exact = true");
  using type = R;
  static const R& of(const R& reduce) { return reduce; }
  template <class V>
  static const V& plain(const V& value) {
    return value;
  }
};

template <class Exact>
struct replaced_form {
  using type = Exact;
  template <class R>
  static Exact of(const R&) {
    return {};
  }
  static auto plain(const typename Exact::value_type& value) {
    if constexpr (requires { value.value(); }) {
      return value.value();
    } else {
      return Exact::answer(value);
    }
  }
};

template <std::floating_point V>
struct exact_form<sum<V>> : replaced_form<sum<reproducible<V>>> {};
template <auto... Fields>
  requires(std::floating_point<typename member_of<decltype(Fields)>::number> || ...)
struct exact_form<sum_fields<Fields...>> : replaced_form<sum<reproducible_fields<Fields...>>> {};
template <std::floating_point V>
struct exact_form<minimum<V>> : replaced_form<first_in_order<V, number_order<false>>> {};
template <std::floating_point V>
struct exact_form<maximum<V>> : replaced_form<first_in_order<V, number_order<true>>> {};
template <std::floating_point V>
struct exact_form<argmin<V>> : replaced_form<first_in_order<scored<V>, number_order<false>>> {};
template <std::floating_point V>
struct exact_form<argmax<V>> : replaced_form<first_in_order<scored<V>, number_order<true>>> {};

template <class... R>
struct exact_form<slots<R...>> {
  using type = slots<typename exact_form<R>::type...>;
  static type of(const slots<R...>& all) {
    return std::apply([](const R&... each) { return type{{exact_form<R>::of(each)...}}; }, all.reductions);
  }
  /// Converts the values of all slots back to values of `reduce`.
  template <class Partial>
  static slots_partial<R...> plain(const Partial& exact, const slots<R...>& reduce) {
    slots_partial<R...> all;
    const auto give = [&]<std::size_t... I>(std::index_sequence<I...>) {
      (..., (exact.template get<I>()
                 ? all.template reduce<I>(exact_form<R>::plain(*exact.template get<I>()), reduce)
                 : void()));
    };
    give(std::index_sequence_for<R...>{});
    return all;
  }
};

}  // namespace detail

/// Whether a task's answer has the same bits on all devices without deterministic<Task>.
template <class Task>
inline constexpr bool is_exact_task =
    std::same_as<typename detail::exact_form<typename Task::reduce>::type, typename Task::reduce>;

/// A task whose reductions give the same bits for any order and grouping of the values. Its result has values
/// of the same types as the plain task's:
///   const auto sums = duomap::run(duomap::deterministic{task}, input);
/// Sums of float and double become reproducible sums, also in slots and in sum_fields (core/reproducible.hpp
/// states their error). Minima and maxima of floating point rank NaN and zeros of both signs
/// (core/total_order.hpp). Other reductions of duomap are exact already and stay. A user's own reduction of
/// values that are no integers must declare that it is exact: static constexpr bool exact = true.
///
/// The user must see to it that map emits the same values on all devices. Additions, multiplications,
/// divisions and square roots give the same bits everywhere. But nvcc fuses a multiplication and an addition,
/// and then rounds once instead of twice: compile the .cu file with --fmad=false. A C++ compiler that may use
/// FMA instructions needs -ffp-contract=off. Functions such as exp and sin differ between devices.
///
/// For GPUs, has_code and make_backends (gpu/make_backend.hpp) take deterministic<Task>, like any task.
template <map_reduce_task Task>
struct deterministic : Task {
  using reduce = typename detail::exact_form<typename Task::reduce>::type;

  [[nodiscard]] reduce reduction() const {
    return detail::exact_form<typename Task::reduce>::of(reduction_of(plain()));
  }

  /// Calls the task's own finish(). Its argument is the value that the task's own reduction would have.
  template <class Key, class Value>
  [[nodiscard]] auto finish(const Key& row_key, const Value& value) const {
    return finished(plain(), row_key, detail::exact_form<typename Task::reduce>::plain(value));
  }

  /// Calls the task's own check of a stored partial, if the task has one.
  template <class Key, class Value, class Check>
  void check_stored(const Key& row_key, const Value& value, const Check& check) const {
    using form = detail::exact_form<typename Task::reduce>;
    if constexpr (requires { plain().check_stored(row_key, form::plain(value), check); })
      plain().check_stored(row_key, form::plain(value), check);
  }

  /// The slots of a result, converted to values of the task's own reductions.
  template <class Slots>
    requires(detail::is_slots<typename Task::reduce>)
  [[nodiscard]] auto finish_slots(const Slots& exact) const {
    return detail::exact_form<typename Task::reduce>::plain(exact, reduction_of(plain()));
  }

 private:
  [[nodiscard]] const Task& plain() const { return *this; }
};

template <class Task>
deterministic(Task) -> deterministic<Task>;

}  // namespace duomap
