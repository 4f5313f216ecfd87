// Finds a task's members by name: members that duomap uses, and similar names, which are refused.
#pragma once

#include <type_traits>

namespace duomap::detail {

// The names of all members that duomap uses (docs/reference/task.md), and of the members refused below.
struct known_names {
  int format, key, reduce, map, map_chunk, map_batch, records, reduction, key_count, finish, finish_slots,
      cpu_seconds, gpu_seconds, profile_parameters, max_emits_per_record, keys_within_record,
      max_extra_key_bytes, stop, visit_broadcast, check_stored;
  int max_emits, emits_per_record, max_emit_per_record, max_emits_in_record, max_emits_within_record,
      emit_within_record, key_within_record, keys_in_record, key_in_record, keys_within_records;
  int emits_within_record, map_several;
  int record, get_records, reductions, reducer;
  int max_emit, max_emits_of_record, key_is_within_record, keys_are_within_record, get_reduction;
  int maxEmitsPerRecord, keysWithinRecord, mapChunk, mapBatch, visitBroadcast, cpuSeconds, gpuSeconds;
  int finalize, finalise, finished, map_chunks, chunk_map, map_batches;
  int visit_broadcasts, broadcast_visit, cpu_second, gpu_second, cpu_time, gpu_time;
  int max_emits_per_records, max_emits_per_line, maxemits_per_record, Records, Reduction, Finish, finish_slot,
      finishSlots, checkStored, stored_check;
};

// If a task has a member of a known name, both bases have it, and naming it is an error that the compiler can
// detect. So members of every kind are found, templates and overloads, too.
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

/// Whether a task has a member of that name, of any kind. Nothing can be found out about a final class.
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
  static constexpr bool max_extra_key_bytes = !requires { &names::max_extra_key_bytes; };
  static constexpr bool stop = !requires { &names::stop; };
  static constexpr bool visit_broadcast = !requires { &names::visit_broadcast; };
  static constexpr bool check_stored = !requires { &names::check_stored; };
};

/// Refuses members whose names are nearly the names of members that duomap uses: duomap would ignore such a
/// member in silence. A task that also has the right member may use the other name for itself.
template <class Task>
constexpr bool refuse_near_names() {
  using has = has_member<Task>;
  using names = typename has::names;
  constexpr bool no_other_emits = requires {
    &names::max_emits;
    &names::emits_per_record;
    &names::max_emit_per_record;
    &names::max_emits_in_record;
    &names::max_emits_within_record;
    &names::emit_within_record;
    &names::emits_within_record;
    &names::max_emit;
    &names::max_emits_of_record;
    &names::maxEmitsPerRecord;
    &names::max_emits_per_records;
    &names::max_emits_per_line;
    &names::maxemits_per_record;
  };
  static_assert(has::max_emits_per_record || no_other_emits,
                "the task has a member max_emit, max_emits, emits_per_record, max_emit_per_record, "
                "max_emits_in_record, max_emits_of_record, max_emits_within_record, max_emits_per_records, "
                "max_emits_per_line, maxemits_per_record, maxEmitsPerRecord, emits_within_record or "
                "emit_within_record, which is not read: expected 'static constexpr std::uint64_t "
                "max_emits_per_record'");
  constexpr bool no_other_keys_within = requires {
    &names::key_within_record;
    &names::keys_in_record;
    &names::key_in_record;
    &names::keys_within_records;
    &names::key_is_within_record;
    &names::keys_are_within_record;
    &names::keysWithinRecord;
  };
  static_assert(
      has::keys_within_record || no_other_keys_within,
      "the task has a member key_within_record, keys_in_record, key_in_record, keys_within_records, "
      "key_is_within_record, keys_are_within_record or keysWithinRecord, which is not read: expected "
      "'static constexpr bool keys_within_record'");
  constexpr bool no_other_records = requires {
    &names::record;
    &names::get_records;
    &names::Records;
  };
  static_assert(
      has::records || no_other_records,
      "the task has a member record, Records or get_records, which is not read: expected 'format records() "
      "const'");
  constexpr bool no_other_reduction = requires {
    &names::reductions;
    &names::reducer;
    &names::get_reduction;
    &names::Reduction;
  };
  static_assert(
      has::reduction || no_other_reduction,
      "the task has a member reductions, reducer, Reduction or get_reduction, which is not read: expected "
      "'using reduce = ...' and 'reduce reduction() const'");
  constexpr bool no_other_finish = requires {
    &names::finalize;
    &names::finalise;
    &names::finished;
    &names::Finish;
    &names::finish_slot;
    &names::finishSlots;
  };
  static_assert(
      has::finish || has::finish_slots || no_other_finish,
      "the task has a member Finish, finish_slot, finishSlots, finalize, finalise or finished, which is "
      "not read: expected 'auto finish(key, value) const' or 'auto finish_slots(merged) const'");
  constexpr bool no_other_map = requires {
    &names::map_chunks;
    &names::chunk_map;
    &names::map_batches;
    &names::map_several;
    &names::mapChunk;
    &names::mapBatch;
  };
  static_assert(no_other_map,
                "the task has a member map_chunks, chunk_map, map_batches, map_several, mapChunk or "
                "mapBatch, which is not "
                "read: expected 'void map(record, auto& emit) const', 'void map_chunk(const duomap::chunk&, "
                "auto& emit) "
                "const' or 'void map_batch(records, auto& emit) const'");
  constexpr bool no_other_visit = requires {
    &names::visit_broadcasts;
    &names::broadcast_visit;
    &names::visitBroadcast;
  };
  static_assert(
      has::visit_broadcast || no_other_visit,
      "the task has a member visit_broadcasts, broadcast_visit or visitBroadcast, which is not read: "
      "expected 'DUOMAP_HD void visit_broadcast(auto&& visit)'");
  constexpr bool no_other_check = requires { &names::checkStored, &names::stored_check; };
  static_assert(has::check_stored || no_other_check,
                "the task has a member checkStored or stored_check, which is not read: expected 'void "
                "check_stored(key, value, const auto& check) const'");
  constexpr bool no_other_seconds = requires {
    &names::cpu_second;
    &names::gpu_second;
    &names::cpu_time;
    &names::gpu_time;
    &names::cpuSeconds;
    &names::gpuSeconds;
  };
  static_assert(
      no_other_seconds,
      "the task has a member cpu_second, gpu_second, cpu_time, gpu_time, cpuSeconds or gpuSeconds, which "
      "is not read: expected 'double cpu_seconds(units, workers) const' and 'double gpu_seconds(units) "
      "const'");
  return true;
}

}  // namespace duomap::detail
