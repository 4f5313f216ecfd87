// What one worker holds of a collect task: every emit, in order, one run for each chunk.
#pragma once

#include "core/collect_budget.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::cpu {

/// Bytes of any length as a compact_key whose long bytes stand in `arena`.
[[nodiscard]] inline compact_key store_bytes(byte_view bytes, key_arena& arena) {
  if (bytes.size <= compact_key::max_inline) return compact_key::of_short(bytes);
  return compact_key::of_stored(hash_long(bytes), arena.store(bytes));
}

/// The runs of one worker.
template <class Task>
class collecting_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = collected_partial<value_type>;

  explicit collecting_container(const Task& /*task*/) {}

  /// Appends to the run of the current chunk.
  struct emitter {
    partial collected;
    std::shared_ptr<key_arena> arena = std::make_shared<key_arena>();
    collect_budget* budget = nullptr;

    void operator()(const result_key<typename Task::key>& key, const value_type& value) {
      append(store_bytes(key_bytes(key), *arena), value);
    }
    void operator()(const value_type& value) { (*this)(result_key<typename Task::key>{}, value); }

   private:
    void append(const compact_key& key, const value_type& value) {
      auto& entries = collected.runs.back().entries;
      if (entries.size() == entries.capacity()) grow(entries);
      if constexpr (std::is_same_v<value_type, byte_view>) {
        entries.push_back({key, store_bytes(value, *arena)});
      } else {
        entries.push_back({key, value});
      }
    }

    template <class Entries>
    void grow(Entries& entries) {
      const std::uint64_t more = std::max<std::uint64_t>(16, entries.capacity());
      if (budget != nullptr) budget->take(more * sizeof(entries.front()));
      entries.reserve(entries.capacity() + more);
    }
  };

  /// Everything from now on is taken from a budget that outlives the container; null: there is no limit.
  void limit(collect_budget* budget) { emitter_.budget = budget; }

  emitter& begin_chunk(const chunk& part) {
    emitter_.collected.runs.push_back({part.source, part.offset, {}});
    return emitter_;
  }
  void end_chunk() {
    if (emitter_.collected.runs.back().entries.empty()) emitter_.collected.runs.pop_back();
    // The arena's bytes of a chunk are counted when they are there already: no more than the chunk has.
    const std::uint64_t stored = emitter_.arena->capacity();
    if (emitter_.budget != nullptr && stored > stored_) emitter_.budget->take(stored - stored_);
    stored_ = stored;
  }

  [[nodiscard]] partial take() {
    emitter_.collected.arenas.push_back(emitter_.arena);
    return std::move(emitter_.collected);
  }

 private:
  emitter emitter_;
  std::uint64_t stored_ = 0;  // of the arena, in bytes
};

}  // namespace duomap::cpu
