// What one worker holds of a task whose reduction does not commute.
#pragma once

#include "core/key.hpp"
#include "core/partial/collected.hpp"
#include "core/task.hpp"
#include "cpu/container/keyed_emitter.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace duomap::cpu {

/// Within a chunk, values are folded as they come, in order; across chunks only their places in the input say
/// what comes first. So each chunk leaves a run of its distinct keys, and the runs are folded in order at the
/// end.
template <class Task>
class ordered_container {
 public:
  using value_type = typename Task::reduce::value_type;
  using key_type = result_key<typename Task::key>;
  using partial = collected_partial<value_type>;

  explicit ordered_container(const Task& task) : emitter_(reduction_of(task)) {}

  /// Emits into the table of the current chunk.
  struct emitter : keyed_emitter<key_type, typename Task::reduce> {
    using base = keyed_emitter<key_type, typename Task::reduce>;
    using base::base;
    using base::operator();
    void operator()(const value_type& value) { (*this)(key_type{}, value); }
  };

  emitter& begin_chunk(const chunk& part) {
    emitter_.begin_chunk(part);
    collected_.runs.push_back({part.source, part.offset, {}});
    return emitter_;
  }

  void end_chunk() {
    emitter_.flush();
    auto& entries = collected_.runs.back().entries;
    entries.reserve(emitter_.table().size());
    emitter_.table().for_each([&](const auto& entry) { entries.push_back(entry); });
    if (entries.empty()) {
      collected_.runs.pop_back();
    } else {
      emitter_.table().clear();
    }
  }

  [[nodiscard]] partial take() {
    collected_.arenas.push_back(std::make_shared<const key_arena>(std::move(emitter_.arena())));
    return std::move(collected_);
  }

 private:
  emitter emitter_;
  partial collected_;
};

}  // namespace duomap::cpu
