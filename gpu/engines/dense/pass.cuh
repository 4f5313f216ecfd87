// What one launch over a chunk needs, for the engine, which folds launches into running totals, and for the
// resident loop, which replays one: memory, shapes, arguments.
#pragma once

#include "core/emitter.hpp"

namespace duomap::gpu {

/// Whether a launch's values are folded into those that are there, or replace them.
enum class totals { fold_into, replace };

/// `type` is the task's pass: key_pass.cuh and slot_pass.cuh define it for the tasks of theirs.
template <class Task>
struct pass_of {
  static_assert(duomap::detail::never<Task>,
                "this .cu file lacks the pass of the task: include gpu/engines/dense/engine.cuh");
};

template <class Task>
using pass_for = typename pass_of<Task>::type;

}  // namespace duomap::gpu
