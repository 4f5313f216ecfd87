// What one worker holds of a collect task: every emit, in order, one run for each chunk.
#pragma once

#include "core/collect_budget.hpp"
#include "core/compact_key.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace duomap::cpu {

/// The runs of one worker.
template <class Task>
class collecting_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = collected_partial<value_type>;
  using entry = keyed_entry<stored_value<value_type>>;

  explicit collecting_container(const Task& task) {
    if constexpr (std::same_as<typename Task::key, dense>) emitter_.keys = task.key_count();
  }

  /// Keeps the emits of the current chunk.
  struct emitter {
    emit_list<value_type> open;
    std::shared_ptr<key_arena> arena = std::make_shared<key_arena>();
    collect_budget* budget = nullptr;
    std::uint64_t keys = 0;  // dense ones

    void operator()(const result_key<typename Task::key>& key, const value_type& value) {
      if constexpr (std::same_as<typename Task::key, dense>) require_dense_key<Task>(key, keys);
      if (open.size() == open.capacity()) grow();
      const compact_key stored = store_bytes(key_bytes(key), *arena);
      if constexpr (std::is_same_v<value_type, byte_view>) {
        open.push_back({stored, store_bytes(value, *arena)});
      } else {
        open.push_back({stored, value});
      }
    }
    void operator()(const value_type& value) { (*this)(result_key<typename Task::key>{}, value); }

    void take(std::uint64_t bytes) {
      if (budget != nullptr) budget->take(bytes);
    }

   private:
    void grow() {
      const std::uint64_t more = std::max<std::uint64_t>(16, open.capacity());
      take(more * sizeof(entry));
      open.reserve(open.capacity() + more);
    }
  };

  /// Everything from now on is taken from a budget that outlives the container; null: there is no limit.
  void limit(collect_budget* budget) { emitter_.budget = budget; }

  template <class Body>
  void fill(const chunk& part, Body&& body) {
    body(emitter_);
    keep(part);
  }

  [[nodiscard]] partial take() {
    collected_.arenas.push_back(emitter_.arena);
    return std::move(collected_);
  }

 private:
  // Runs up to this size are copied out of a list that is used again and stays in the second-level cache, so
  // that no memory is touched that they do not need in the end.
  static constexpr std::uint64_t copied_bytes = std::uint64_t{512} << 10;

  void keep(const chunk& part) {
    // The arena's bytes of a chunk are counted when they are there already: no more than the chunk has.
    const std::uint64_t stored = emitter_.arena->capacity();
    if (stored > stored_) emitter_.take(stored - stored_);
    stored_ = stored;
    if (emitter_.open.empty()) return;
    const std::uint64_t bytes = emitter_.open.size() * sizeof(entry);
    if (bytes > copied_bytes) {
      collected_.runs.push_back({part.source, part.offset, std::exchange(emitter_.open, {})});
    } else {
      emitter_.take(bytes);
      collected_.runs.push_back({part.source, part.offset, {emitter_.open.begin(), emitter_.open.end()}});
      emitter_.open.clear();
    }
  }

  emitter emitter_;
  partial collected_;
  std::uint64_t stored_ = 0;  // of the arena, in bytes
};

}  // namespace duomap::cpu
