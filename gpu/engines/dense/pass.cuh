// Declares a pass, which is the memory, shapes and arguments of one launch over a chunk. The engine folds its
// launches into running totals; the resident loop repeats one launch.
#pragma once

#include "core/emitter.hpp"

namespace duomap::gpu {

/// Whether a launch folds its values into the existing totals, or replaces them.
enum class totals { fold_into, replace };

/// `type` is the task's pass; key_pass.cuh and slot_pass.cuh each define it for their tasks.
template <class Task>
struct pass_of {
  static_assert(duomap::detail::never<Task>,
                "this .cu file lacks the pass of the task: include gpu/engines/dense/engine.cuh");
};

template <class Task>
using pass_for = typename pass_of<Task>::type;

}  // namespace duomap::gpu
