// What one worker holds of a collect task: every emit, in order, one run for each chunk.
#pragma once

#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"

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

    void operator()(const result_key<typename Task::key>& key, const value_type& value) {
      append(store_bytes(key_bytes(key), *arena), value);
    }
    void operator()(const value_type& value) { (*this)(result_key<typename Task::key>{}, value); }

   private:
    void append(const compact_key& key, const value_type& value) {
      auto& entries = collected.runs.back().entries;
      if constexpr (std::is_same_v<value_type, byte_view>) {
        entries.push_back({key, store_bytes(value, *arena)});
      } else {
        entries.push_back({key, value});
      }
    }
  };

  emitter& begin_chunk(const chunk& part) {
    emitter_.collected.runs.push_back({part.source, part.offset, {}});
    return emitter_;
  }
  void end_chunk() {
    if (emitter_.collected.runs.back().entries.empty()) emitter_.collected.runs.pop_back();
  }

  [[nodiscard]] partial take() {
    emitter_.collected.arenas.push_back(emitter_.arena);
    return std::move(emitter_.collected);
  }

 private:
  emitter emitter_;
};

}  // namespace duomap::cpu
