// Whether a run can have a GPU.
#pragma once

#include "core/job_options.hpp"

#include <string>

namespace duomap::gpu {

/// Why a run gets no GPU, as a sentence for its report. No engine is part of this version yet, so there
/// always is a reason. Looks for devices only when one was demanded: asking the driver costs more than a
/// small job.
/// @throws device_unavailable with that reason when `choice` demands a GPU
[[nodiscard]] std::string why_no_gpu(device_choice choice);

}  // namespace duomap::gpu
