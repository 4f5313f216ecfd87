// Checks a task at compile time, so that the compiler's first error is one sentence about the task.
#pragma once

#include "core/emitter.hpp"
#include "core/member_names.hpp"
#include "core/task.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace duomap {

class stored_check;  // core/partial/stored/stored_check.hpp

namespace detail {

template <class T>
concept finishes = is_slots<typename T::reduce> ||
    requires(const T t, const result_key<typename T::key>& key, const typename T::reduce::value_type& value) {
  t.finish(key, value);
};

template <class T>
concept checks_stored = is_slots<typename T::reduce> ||
    requires(const T t, const result_key<typename T::key>& key, const typename T::reduce::value_type& value,
             const stored_check& check) {
  t.check_stored(key, value, check);
};

/// Whether a reduction with an item_type can add such items. For slots, whether all their reductions can.
template <class R>
inline constexpr bool adds_items = !takes_items<R>;
template <class R>
  requires takes_items<R> && has_identity<R>
inline constexpr bool adds_items<R> =
    std::is_trivially_copyable_v<typename R::item_type> && !views_bytes<typename R::item_type>() &&
    !holds_pointer<typename R::item_type>() &&
    requires(const R r, typename R::value_type& into, const typename R::item_type& item) {
  r.add(into, item);
};
template <class... R>
inline constexpr bool adds_items<slots<R...>> = (adds_items<R> && ...);

/// Whether a reduction has an add() that seems to take items, although it has no item_type.
template <class V, class Member>
inline constexpr bool is_add = false;
template <class V, class Any>
inline constexpr bool is_add<V, void (*)(V&, Any)> = true;
template <class V, class R, class Any>
inline constexpr bool is_add<V, void (R::*)(V&, Any)> = true;
template <class V, class R, class Any>
inline constexpr bool is_add<V, void (R::*)(V&, Any) const> = true;
template <class R>
inline constexpr bool has_unread_add = requires {
  requires !takes_items<R> && is_add<typename R::value_type, decltype(&R::add)>;
};
template <class... R>
inline constexpr bool has_unread_add<slots<R...>> = (has_unread_add<R> || ...);

/// The largest size in bytes of a task, a key or a value. They are on the stack of a worker, some of them
/// several times; a worker of oneTBB has a stack of 4 MiB.
inline constexpr std::size_t most_on_stack = std::size_t{256} << 10;

template <class R>
inline constexpr bool values_fit_stack = sizeof(typename R::value_type) <= most_on_stack;
template <class R>
  requires takes_items<R>
inline constexpr bool values_fit_stack<R> =
    sizeof(typename R::value_type) <= most_on_stack && sizeof(typename R::item_type) <= most_on_stack;
template <class... R>
inline constexpr bool values_fit_stack<slots<R...>> = (values_fit_stack<R> && ...);

/// Refuses optional members that cannot be called as they must be. duomap would ignore them in silence.
template <class T>
constexpr bool require_members_as_called() {
  using has = has_member<T>;
  if constexpr (has::is_known) {
    static_assert(
        maps_chunks<T> || !has::map_chunk,
        "the task's map_chunk cannot be called: expected 'void map_chunk(const duomap::chunk& part, "
        "auto& emit) const'");
    static_assert(
        !has::finish || finishes<T>,
        "the task's finish cannot be called: expected 'auto finish(key, value) const', with the key of a "
        "result (std::uint64_t of dense keys, and without keys) and the value_type of 'reduce'");
    static_assert(!has::finish || !(is_collect<typename T::reduce> || is_top_k<typename T::reduce>),
                  "the task has finish, which collect and top_k do not apply: make the value in map");
    static_assert(!has::check_stored || checks_stored<T>,
                  "the task's check_stored cannot be called: expected 'void check_stored(key, value, const "
                  "auto& check) const', with the key of a result and the value_type of 'reduce'");
    static_assert(
        has::cpu_seconds == has::gpu_seconds,
        "the task has only one of cpu_seconds and gpu_seconds: expected 'double cpu_seconds(std::uint64_t "
        "units, unsigned workers) const' and 'double gpu_seconds(std::uint64_t units) const'");
    static_assert(
        !has::cpu_seconds ||
            requires(const T t) {
              { t.cpu_seconds(std::uint64_t{}, 1u) } -> std::convertible_to<double>;
              { t.gpu_seconds(std::uint64_t{}) } -> std::convertible_to<double>;
            },
        "the task's cpu_seconds or gpu_seconds cannot be called: expected 'double cpu_seconds(std::uint64_t "
        "units, "
        "unsigned workers) const' and 'double gpu_seconds(std::uint64_t units) const'");
    static_assert(
        !requires { requires std::is_member_pointer_v<decltype(&T::max_emits_per_record)>; },
        "the task's max_emits_per_record is no constant: expected 'static constexpr std::uint64_t "
        "max_emits_per_record = ...'");
    static_assert(
        !requires { requires std::is_member_pointer_v<decltype(&T::keys_within_record)>; },
        "the task's keys_within_record is no constant: expected 'static constexpr bool keys_within_record = "
        "true'");
    static_assert(
        !requires { requires std::is_member_pointer_v<decltype(&T::max_extra_key_bytes)>; },
        "the task's max_extra_key_bytes is no constant: expected 'static constexpr std::uint64_t "
        "max_extra_key_bytes = ...'");
  }
  return true;
}

/// Whether a conversion silently cuts off a fraction.
template <class From, class To>
concept loses_fraction = std::floating_point<std::remove_cvref_t<From>> && std::integral<To>;

/// Whether a value that map emits would lose its fraction. Not for slots: their emits have several types.
template <class From, class Reduce>
concept cuts_off_value = loses_fraction<From, emit_type<Reduce>>;

/// The emitter for checking the body of map. It refuses numbers whose fraction would be cut off.
template <class T>
struct reading_emitter : archetype_emitter<T> {
  using archetype_emitter<T>::operator();
  using key = typename T::key;
  using reduce = typename T::reduce;
  static constexpr bool keyless = is_slots<reduce> || std::is_same_v<key, no_key>;

  template <class Key, class Number>
    requires(!keyless && cuts_off_value<Number, reduce>)
  void operator()(Key&&, Number&&) const { refuse_value<Number>(); }
  template <class Number>
    requires(!is_slots<reduce> && keyless && cuts_off_value<Number, reduce>)
  void operator()(Number&&) const { refuse_value<Number>(); }
  template <class Number, class Value>
    requires(!keyless && loses_fraction<Number, result_key<key>> && !cuts_off_value<Value, reduce>)
  void operator()(Number&&, Value&&) const {
    static_assert(
        never<Number>,
        "map emits a key with a fraction, and the keys of its task are whole numbers: expected a whole "
        "number, by static_cast or duomap::parse_integer");
  }

 private:
  template <class Number>
  static void refuse_value() {
    static_assert(
        never<Number>,
        "map emits a number with a fraction, and the values of its task are whole numbers: expected "
        "a reduction of such numbers, as 'using reduce = duomap::sum<double>', or a static_cast");
  }
};

/// Nobody calls it: it makes the compiler read the body of map, so that errors there are shown first.
template <class T>
void read_map(const T& task, const typename T::format::record& record, reading_emitter<T>& emit) {
  task.map(record, emit);
}

}  // namespace detail

/// Is true if the task is right. Otherwise the compiler stops with a sentence about the task's fault and the
/// expected member. Use it in `if constexpr`, so that the compiler evaluates it at once.
template <class T>
[[nodiscard]] constexpr bool require_task() {
  using has = detail::has_member<T>;
  constexpr bool known = has::is_known;
  if constexpr (!std::is_class_v<T>) {
    static_assert(detail::never<T>,
                  "a task is a struct with format, key, reduce and map (docs/reference/task.md)");
  } else if constexpr (known && !has::format) {
    static_assert(detail::never<T>,
                  "the task has no record format: expected 'using format = ...', such as duomap::words, "
                  "duomap::lines, duomap::fields or duomap::rows<float>");
  } else if constexpr (!requires { typename T::format; }) {
    static_assert(
        detail::never<T>,
        "the task's members cannot be used: expected 'struct' in place of 'class', or 'public:' before them, "
        "and 'using format = ...', which is a type");
  } else if constexpr (!names_record_format<T>) {
    static_assert(names_record_format<T>,
                  "the task's format is no record format: expected 'record', grain(), first_start() and "
                  "last_start(), all const, as core/record/lines.hpp has them");
  } else if constexpr (known && !has::key) {
    static_assert(detail::never<T>,
                  "the task has no kind of keys: expected 'using key = ...', which is duomap::byte_view, "
                  "duomap::dense, duomap::no_key or a type of fixed size");
  } else if constexpr (!names_key_kind<T>) {
    static_assert(
        names_key_kind<T>,
        "the task's key is no kind of keys: expected duomap::byte_view, duomap::dense, duomap::no_key or "
        "a trivially copyable type with a default constructor and without padding, floating point, pointers "
        "and views; in place of std::pair and std::tuple, which are not trivially copyable, a struct");
  } else if constexpr (known && !has::reduce) {
    static_assert(
        detail::never<T>,
        "the task has no reduction: expected 'using reduce = ...', such as duomap::sum<std::uint64_t>");
  } else if constexpr (!names_reduction<T>) {
    static_assert(
        names_reduction<T>,
        "the task's reduce is no reduction: expected 'using value_type = V', trivially copyable with a "
        "default constructor, 'static constexpr bool associative = true', 'static constexpr bool "
        "commutative', and 'V "
        "operator()(const V&, const V&) const'");
  } else if constexpr (!detail::adds_items<typename T::reduce>) {
    static_assert(
        detail::never<T>,
        "the task's reduction has an item_type, and its items cannot be added: expected 'DUOMAP_HD void "
        "add(value_type& into, const item_type& item) const' and 'DUOMAP_HD value_type identity() const', "
        "the "
        "item trivially copyable, and no view or pointer");
  } else if constexpr (detail::has_unread_add<typename T::reduce>) {
    static_assert(
        detail::never<T>,
        "the task's reduction has an add, which is not read because it has no item_type: expected 'using "
        "item_type = ...', the type of what map emits then");
  } else if constexpr (!values_own_their_bytes<T>) {
    static_assert(
        values_own_their_bytes<T>,
        "the task keeps values that are views (byte_view or std::string_view) or pointers, and the "
        "bytes of a record are gone when its chunk is mapped: expected values that hold their bytes, "
        "such as std::array<char, 16>, or the place of a text of any length (core/text_place.hpp), or "
        "'using reduce = duomap::collect<duomap::byte_view>', which copies");
  } else if constexpr (!detail::values_fit_stack<typename T::reduce> ||
                       sizeof(result_key<typename T::key>) > detail::most_on_stack ||
                       sizeof(T) > detail::most_on_stack) {
    static_assert(
        detail::never<T>,
        "the task, its key or a value of its reduction has more than 256 KiB, and stands on the stack of "
        "each "
        "worker: expected a key for each part of a large value, such as duomap::dense for the index in a "
        "table, and duomap::broadcast<T> for large arrays of the task");
  } else if constexpr (!slots_have_no_key<T>) {
    static_assert(detail::never<T>,
                  "slots are for tasks without a key: expected 'using key = duomap::no_key'");
  } else if constexpr (!top_k_has_dense_or_no_key<T>) {
    static_assert(
        detail::never<T>,
        "top_k takes dense keys or none: expected 'using key = duomap::dense' or 'duomap::no_key'; of "
        "hashed keys take top() of the result");
  } else if constexpr (detail::is_top_k<typename T::reduce> && known && !has::reduction) {
    static_assert(
        detail::never<T>,
        "the task keeps the best values, and does not say how many: expected 'reduce reduction() const { "
        "return {.k = 10}; }'");
  } else if constexpr (!counts_dense_keys<T>) {
    static_assert(
        detail::never<T>,
        "the task's keys are dense, and it does not say how many there are: expected 'std::uint64_t "
        "key_count() const'");
  } else if constexpr (!records_gives_format<T>) {
    static_assert(detail::never<T>, "the task's records cannot be called: expected 'format records() const'");
  } else if constexpr (!reduction_gives_reduce<T>) {
    static_assert(detail::never<T>,
                  "the task's reduction cannot be called: expected 'reduce reduction() const'");
  } else if constexpr (!finish_takes_key_and_value<T>) {
    static_assert(
        detail::never<T>,
        "the task's finish cannot be called: expected 'auto finish(key, value) const', with the key of a "
        "result (std::uint64_t of dense keys, and without keys) and the value_type of 'reduce'");
  } else if constexpr (!copyable_to_devices<T>) {
    static_assert(
        copyable_to_devices<T>,
        "the task is not trivially copyable, and every device gets a copy of its bytes: expected numbers "
        "and arrays of fixed size as members, and duomap::broadcast<T> for larger arrays");
  } else if constexpr (known && !has::map && !has::map_chunk) {
    static_assert(
        detail::never<T>,
        "the task has no map: expected 'DUOMAP_HD void map(RECORD record, auto& emit) const', RECORD "
        "being byte_view for words, const line& for lines, const field_list& for fields, const strip& for "
        "strips, const markup_fragment& for markup, const row<T>& for rows<T>, std::uint64_t for "
        "index_range, const entry<K, V>& for entries<K, V>");
  } else if constexpr (!maps_records_or_chunks<T>) {
    if constexpr (requires(T t, const typename T::format::record& record, archetype_emitter<T>& emit) {
                    t.map(record, emit);
                  }) {
      static_assert(
          detail::never<T>,
          "the task's map is not const: expected 'DUOMAP_HD void map(RECORD record, auto& emit) const'");
    } else {
      static_assert(
          detail::never<T>,
          "the task's map does not take a record of its format and an emitter: expected 'DUOMAP_HD void "
          "map(RECORD record, auto& emit) const', RECORD being byte_view for words, const line& for lines, "
          "const field_list& for fields, const strip& for strips, const markup_fragment& for markup, const "
          "row<T>& for rows<T>, std::uint64_t for index_range, const entry<K, V>& for entries<K, V>");
    }
  } else {
    if constexpr (maps_records<T>) static_cast<void>(&detail::read_map<T>);
    return detail::require_members_as_called<T>() && detail::refuse_near_names<T>();
  }
  return false;
}

namespace detail {

/// Is complete only if this header is included: then gpu/make_backend.hpp checks tasks, too.
template <class Task>
struct task_check {
  static_assert(require_task<Task>());
};

}  // namespace detail

}  // namespace duomap
