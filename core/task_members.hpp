// Which members a task has: by the names that are read, with the spellings nearby, and by their types.
#pragma once

#include "core/byte_view.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace duomap {

namespace detail {

// The names of all members that are read (core/task.hpp), and of those that are refused below.
struct known_names {
  int format, key, reduce, map, map_chunk, map_batch, records, reduction, key_count, finish, finish_slots,
      cpu_seconds, gpu_seconds, profile_parameters, max_emits_per_record, keys_within_record, stop,
      visit_broadcast;
  int max_emits, emits_per_record, max_emit_per_record, max_emits_in_record, max_emits_within_record,
      emit_within_record, key_within_record, keys_in_record, key_in_record, keys_within_records;
  int record, get_records, reductions, reducer, key_counts, keys_count, count_keys, num_keys, number_of_keys;
  int finalize, finalise, finished, map_chunks, chunk_map, map_batches, map_record, map_records;
  int visit_broadcasts, broadcast_visit, cpu_second, gpu_second, cpu_time, gpu_time;
};

// A name that both bases have is ambiguous: so members of every kind show, templates and overloads too.
template <class Task>
struct beside_known_names : Task, known_names {};

template <class Task>
struct own_and_known_names {
  using type = known_names;
};
template <class Task>
  requires(std::is_class_v<Task> && !std::is_final_v<Task>)
struct own_and_known_names<Task> {
  using type = beside_known_names<Task>;
};

/// Whether a task has a member of a name, whatever it is. Of a final class nothing is known.
template <class Task>
struct has_member {
  using names = typename own_and_known_names<Task>::type;
  static constexpr bool is_known = !std::is_same_v<names, known_names>;
  static constexpr bool format = !requires { &names::format; };
  static constexpr bool key = !requires { &names::key; };
  static constexpr bool reduce = !requires { &names::reduce; };
  static constexpr bool map = !requires { &names::map; };
  static constexpr bool map_chunk = !requires { &names::map_chunk; };
  static constexpr bool map_batch = !requires { &names::map_batch; };
  static constexpr bool records = !requires { &names::records; };
  static constexpr bool reduction = !requires { &names::reduction; };
  static constexpr bool key_count = !requires { &names::key_count; };
  static constexpr bool finish = !requires { &names::finish; };
  static constexpr bool finish_slots = !requires { &names::finish_slots; };
  static constexpr bool cpu_seconds = !requires { &names::cpu_seconds; };
  static constexpr bool gpu_seconds = !requires { &names::gpu_seconds; };
  static constexpr bool profile_parameters = !requires { &names::profile_parameters; };
  static constexpr bool max_emits_per_record = !requires { &names::max_emits_per_record; };
  static constexpr bool keys_within_record = !requires { &names::keys_within_record; };
  static constexpr bool stop = !requires { &names::stop; };
  static constexpr bool visit_broadcast = !requires { &names::visit_broadcast; };
};

/// Refuses members whose names are nearly those that are read, which would be passed over in silence.
template <class Task>
constexpr bool refuse_near_names() {
  using names = typename has_member<Task>::names;
  constexpr bool no_other_emits = requires {
    &names::max_emits;
    &names::emits_per_record;
    &names::max_emit_per_record;
    &names::max_emits_in_record;
    &names::max_emits_within_record;
    &names::emit_within_record;
  };
  static_assert(
      no_other_emits,
      "the task has a member max_emits, emits_per_record, max_emit_per_record, max_emits_in_record, "
      "max_emits_within_record or emit_within_record, which is not read: expected `static constexpr "
      "std::uint64_t max_emits_per_record`");
  constexpr bool no_other_keys_within = requires {
    &names::key_within_record;
    &names::keys_in_record;
    &names::key_in_record;
    &names::keys_within_records;
  };
  static_assert(no_other_keys_within,
                "the task has a member key_within_record, keys_in_record, key_in_record or "
                "keys_within_records, which is "
                "not read: expected `static constexpr bool keys_within_record`");
  constexpr bool no_other_records = requires {
    &names::record;
    &names::get_records;
  };
  static_assert(
      no_other_records,
      "the task has a member record or get_records, which is not read: expected `format records() const`");
  constexpr bool no_other_reduction = requires {
    &names::reductions;
    &names::reducer;
  };
  static_assert(
      no_other_reduction,
      "the task has a member reductions or reducer, which is not read: expected `using reduce = ...` and "
      "`reduce reduction() const`");
  constexpr bool no_other_key_count = requires {
    &names::key_counts;
    &names::keys_count;
    &names::count_keys;
    &names::num_keys;
    &names::number_of_keys;
  };
  static_assert(
      no_other_key_count,
      "the task has a member key_counts, keys_count, count_keys, num_keys or number_of_keys, which is not "
      "read: expected `std::uint64_t key_count() const`");
  constexpr bool no_other_finish = requires {
    &names::finalize;
    &names::finalise;
    &names::finished;
  };
  static_assert(
      no_other_finish,
      "the task has a member finalize, finalise or finished, which is not read: expected `auto finish(key, "
      "value) const`");
  constexpr bool no_other_map = requires {
    &names::map_chunks;
    &names::chunk_map;
    &names::map_batches;
    &names::map_record;
    &names::map_records;
  };
  static_assert(no_other_map,
                "the task has a member map_chunks, chunk_map, map_batches, map_record or map_records, which "
                "is not read: "
                "expected `void map(record, auto& emit) const`, `void map_chunk(const duomap::chunk&, auto& "
                "emit) const` "
                "or `void map_batch(records, auto& emit) const`");
  constexpr bool no_other_visit = requires {
    &names::visit_broadcasts;
    &names::broadcast_visit;
  };
  static_assert(
      no_other_visit,
      "the task has a member visit_broadcasts or broadcast_visit, which is not read: expected `void "
      "visit_broadcast(auto&& visit)`");
  constexpr bool no_other_seconds = requires {
    &names::cpu_second;
    &names::gpu_second;
    &names::cpu_time;
    &names::gpu_time;
  };
  static_assert(no_other_seconds,
                "the task has a member cpu_second, gpu_second, cpu_time or gpu_time, which is not read: "
                "expected `double "
                "cpu_seconds(units, workers) const` and `double gpu_seconds(units) const`");
  return true;
}

// Members by type, of aggregates: what T{...} takes at a place. An array has a place for each element;
// members of members are not looked at.

struct any_member {
  template <class M>
    requires(!std::is_same_v<M, std::string_view>)
  operator M() const;
};
struct class_member {
  template <class M>
    requires std::is_class_v<M>
  operator M() const;
};
struct class_or_pointer_member {
  template <class M>
    requires(std::is_class_v<M> || std::is_pointer_v<M>)
  operator M() const;
};
template <class Only>
struct only_member {
  operator Only() const;
};

template <std::size_t>
using any_member_at = any_member;

template <class T, class Member, std::size_t... Before>
[[nodiscard]] constexpr bool takes_behind(std::index_sequence<Before...>) {
  return requires { T{any_member_at<Before>{}..., Member{}}; };
}

/// More members than this are not looked at.
inline constexpr std::size_t most_members = 16;

template <class T, std::size_t... At>
[[nodiscard]] constexpr bool has_pointer(std::index_sequence<At...>) {
  return ((takes_behind<T, class_or_pointer_member>(std::make_index_sequence<At>{}) &&
           !takes_behind<T, class_member>(std::make_index_sequence<At>{})) ||
          ...);
}

template <class T, class Member, std::size_t... At>
[[nodiscard]] constexpr bool has_member_of_type(std::index_sequence<At...>) {
  return (takes_behind<T, Member>(std::make_index_sequence<At>{}) || ...);
}

}  // namespace detail

/// Whether an aggregate has a member that is a pointer.
template <class T>
[[nodiscard]] constexpr bool has_pointer_member() {
  if constexpr (std::is_aggregate_v<T> && std::is_class_v<T>) {
    return detail::has_pointer<T>(std::make_index_sequence<detail::most_members>{});
  } else {
    return false;
  }
}

/// Whether an aggregate has a member of a type that is a class.
template <class T, class Member>
[[nodiscard]] constexpr bool has_member_of() {
  if constexpr (std::is_aggregate_v<T> && std::is_class_v<T>) {
    return detail::has_member_of_type<T, detail::only_member<Member>>(
        std::make_index_sequence<detail::most_members>{});
  } else {
    return false;
  }
}

/// Whether a value is a view of bytes that stand elsewhere, or an aggregate with one.
template <class V>
[[nodiscard]] constexpr bool views_bytes() {
  return std::is_same_v<V, byte_view> || std::is_same_v<V, std::string_view> ||
         has_member_of<V, byte_view>() || has_member_of<V, std::string_view>();
}

// What a task promises of its emits, so that a GPU need not count them first.

namespace detail {

/// Up to 0.1 one constant, `emits_within_record`, promised both.
template <class Task>
concept promises_by_old_name = requires {
  { Task::emits_within_record } -> std::convertible_to<std::uint64_t>;
};

template <class Task>
[[deprecated(
    "emits_within_record is two promises now: max_emits_per_record, and keys_within_record = true "
    "where keys are bytes of the record")]] [[nodiscard]] constexpr std::uint64_t
emits_by_old_name() {
  return Task::emits_within_record;
}

template <class Task>
[[nodiscard]] constexpr std::uint64_t max_emits() {
  if constexpr (requires {
                  { Task::max_emits_per_record } -> std::convertible_to<std::uint64_t>;
                }) {
    return Task::max_emits_per_record;
  } else if constexpr (promises_by_old_name<Task>) {
    return emits_by_old_name<Task>();
  } else {
    return 0;
  }
}

template <class Task>
[[nodiscard]] constexpr bool keys_within() {
  if constexpr (requires {
                  { Task::keys_within_record } -> std::convertible_to<bool>;
                }) {
    return Task::keys_within_record;
  } else {
    return promises_by_old_name<Task>;
  }
}

}  // namespace detail

/// How often map emits for a record at most, `Task::max_emits_per_record`; 0: the task does not say.
template <class Task>
inline constexpr std::uint64_t max_emits_of = detail::max_emits<Task>();

/// Whether keys of variable length are bytes of their record, `Task::keys_within_record`.
template <class Task>
inline constexpr bool keys_are_within_record = detail::keys_within<Task>();

}  // namespace duomap
