// A worker's container for a collect task. It keeps every emit, in order, in one list for each chunk.
#pragma once

#include "core/compact_key.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/memory_reservation.hpp"
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

template <class Task>
class collecting_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using partial = collected_partial<value_type>;
  using entry = keyed_entry<stored_value<value_type>>;

  explicit collecting_container(const Task& task, const shared_budget& memory = nullptr) : emitter_(memory) {
    collected_.held = memory_reservation(memory);
    if constexpr (std::same_as<typename Task::key, dense>) emitter_.keys = task.key_count();
  }

  /// Keeps the emits of the current chunk.
  struct emitter {
    explicit emitter(const shared_budget& memory)
      : arena(std::make_shared<key_arena>(memory)), held(memory) {}

    emit_list<value_type> open;
    std::shared_ptr<key_arena> arena;
    memory_reservation held;  // the memory that the budget counts for `open`
    std::uint64_t keys = 0;   // the number of dense keys

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

   private:
    /// Doubles the capacity of the list. Both lists exist meanwhile, so the budget counts both.
    void grow() {
      const std::uint64_t capacity = std::max<std::uint64_t>(16, 2 * open.capacity());
      memory_reservation grown(held.of());
      grown.take(capacity * sizeof(entry), "the rows that are collected");
      open.reserve(capacity);
      held = std::move(grown);
    }
  };

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
  // The emits of a chunk, up to this size, are copied out of a list that is reused. That list stays in the L2
  // cache, so a chunk touches no more new memory than its emits need.
  static constexpr std::uint64_t copied_bytes = std::uint64_t{512} << 10;

  void keep(const chunk& part) {
    if (emitter_.open.empty()) return;
    const std::uint64_t bytes = emitter_.open.size() * sizeof(entry);
    if (bytes > copied_bytes) {
      collected_.runs.push_back({part.source, part.offset, std::exchange(emitter_.open, {})});
      collected_.held.add(std::move(emitter_.held));
    } else {
      collected_.take(emitter_.open.size());
      collected_.runs.push_back({part.source, part.offset, {emitter_.open.begin(), emitter_.open.end()}});
      emitter_.open.clear();
    }
  }

  emitter emitter_;
  partial collected_;
};

}  // namespace duomap::cpu
