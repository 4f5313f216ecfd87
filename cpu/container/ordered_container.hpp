// A worker's container for a task whose reduction does not commute.
#pragma once

#include "core/compact_key.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "core/key_arena.hpp"
#include "core/memory_reservation.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "cpu/container/chunk_value.hpp"
#include "cpu/container/keyed_emitter.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::cpu {

/// Keeps values in the order of the input. Chunks that follow each other without a gap are folded into one
/// table as they come. A chunk elsewhere in the input begins a new table, and the old one becomes a list of
/// its distinct keys. At the end, the lists are folded in the order of the input.
template <class Task>
class ordered_container {
 public:
  using partial = collected_partial<typename Task::reduce::value_type>;

  explicit ordered_container(const Task& task, const shared_budget& memory = nullptr)
    : emitter_(reduction_of(task), memory) {
    collected_.held = memory_reservation(memory);
    if constexpr (std::same_as<typename Task::key, dense>) emitter_.keys = task.key_count();
  }

  template <class Body>
  void fill(const chunk& part, Body&& body) {
    if (part.source != source_ || part.offset != end_) end_run();
    if (emitter_.table().size() == 0) begin_ = part.offset;
    source_ = part.source;
    end_ = part.offset + part.size;
    emitter_.begin_chunk(part);
    body(emitter_);
    emitter_.end_chunk();
    if (emitter_.hardly_repeats()) end_run();
  }

  [[nodiscard]] partial take() {
    end_run();
    collected_.arenas.push_back(std::make_shared<const key_arena>(std::move(emitter_.arena())));
    return std::move(collected_);
  }

 private:
  using key_type = result_key<typename Task::key>;

  // A list with more distinct keys than this ends if fewer than one key in twenty repeats. Folding such lists
  // by partition is faster than a large table: it takes 0.6 of the time for 3 million keys.
  static constexpr std::uint64_t most_unrepeated_keys = torture ? 8 : std::uint64_t{1} << 18;

  /// Emits into the table of the chunks since the last gap.
  struct emitter : keyed_emitter<key_type, typename Task::reduce> {
    using base = keyed_emitter<key_type, typename Task::reduce>;
    using base::base;
    std::uint64_t keys = 0;   // the number of dense keys
    std::uint64_t emits = 0;  // emits since the last gap

    [[nodiscard]] bool hardly_repeats() {
      const std::uint64_t distinct = this->table().size();
      return distinct > most_unrepeated_keys && emits < distinct + distinct / 20;
    }

    void operator()(const key_type& key, const emit_type<typename Task::reduce>& emitted) {
      ++emits;
      if constexpr (std::same_as<typename Task::key, dense>) require_dense_key<Task>(key, keys);
      base::operator()(key, emitted);
    }
  };

  void end_run() {
    if (emitter_.table().size() == 0) return;
    collected_.runs.push_back({source_, begin_, {}});
    auto& entries = collected_.runs.back().entries;
    collected_.take(emitter_.table().size());
    entries.reserve(emitter_.table().size());
    emitter_.table().for_each([&](const auto& entry) { entries.push_back(entry); });
    emitter_.table().clear();
    emitter_.emits = 0;
  }

  emitter emitter_;
  partial collected_;
  std::uint32_t source_ = 0;  // the source of the chunks in the table, and where they begin and end
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

/// The container for tasks without keys. It keeps one value for each chunk.
template <class Task>
  requires std::same_as<typename Task::key, no_key>
class ordered_container<Task> {
 public:
  using partial = collected_partial<typename Task::reduce::value_type>;

  explicit ordered_container(const Task& task, const shared_budget& memory = nullptr)
    : reduce_(reduction_of(task)) {
    collected_.held = memory_reservation(memory);
  }

  template <class Body>
  void fill(const chunk& part, Body&& body) {
    chunk_value<typename Task::reduce> emit(reduce_);
    body(emit);
    if (!emit.any()) return;
    const result_key<no_key> key = 0;
    collected_.take(1);
    collected_.runs.push_back(
        {part.source, part.offset, {{compact_key::of_short(key_bytes(key)), emit.value()}}});
  }

  [[nodiscard]] partial take() { return std::move(collected_); }

 private:
  [[no_unique_address]] typename Task::reduce reduce_;
  partial collected_;
};

}  // namespace duomap::cpu
