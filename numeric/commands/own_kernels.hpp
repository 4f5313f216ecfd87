// Refuses options that applications with kernels of their own on GPUs do not have.
// host only
#pragma once

#include "apps/cli/run_arguments.hpp"
#include "core/error.hpp"

#include <string>

namespace duomap::apps {

/// Refuses the options of engines for `app`, which has its own kernels. @throws usage_error when one was
/// given
inline void refuse_engines(const run_arguments& options, const std::string& app) {
  if (options.gpu.engine || options.gpu.block_tables)
    throw usage_error(app +
                      " has kernels of its own for GPUs: leave out --gpu-engine and --gpu-block-tables");
}

/// Refuses --share for an application that does not share its input between devices. @throws usage_error when
/// the option was given
inline void refuse_share(const run_arguments& options, const std::string& app) {
  if (options.share.policy != share_policy::automatic)
    throw usage_error(app + " decides itself what its devices do: leave out --share");
}

}  // namespace duomap::apps
