// What applications refuse whose GPU code is no engine of a task.
// host only
#pragma once

#include "apps/cli/run_options.hpp"
#include "core/error.hpp"

#include <string>

namespace duomap::apps {

/// @throws usage_error when an engine or its settings were asked for
inline void refuse_engines(const run_options& options, const std::string& app) {
  if (options.engine || options.block_tables)
    throw usage_error(app + " has kernels of its own for GPUs: leave out --engine and --block-tables");
}

/// Of an application that shares no input between devices. @throws usage_error when a split was asked for
inline void refuse_split(const run_options& options, const std::string& app) {
  if (options.split.policy != split_policy::automatic)
    throw usage_error(app + " decides itself what its devices do: leave out --split");
}

}  // namespace duomap::apps
