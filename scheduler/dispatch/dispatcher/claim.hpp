// The answer to a worker that asks for grains.
#pragma once

#include "scheduler/dispatch/dispatcher/interval.hpp"

#include <optional>

namespace duomap::scheduler {

/// What a worker should do next about grains.
struct claim {
  enum class what {
    take,  ///< `grains` are the worker's
    wait,  ///< nothing now; ask again at `until`, or when something has changed
    end,   ///< nothing any more: all grains are taken, and none can come back
  };
  what then = what::end;
  grain_range grains = {};
  double until = 0;
  /// Executor that is expected to do what is left: if its workers wait, they should ask again now.
  std::optional<unsigned> relies_on = std::nullopt;
};

}  // namespace duomap::scheduler
