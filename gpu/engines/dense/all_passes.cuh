// Includes the passes of all tasks of the dense engine. A .cu file that includes only its tasks' passes
// compiles faster.
#pragma once

#include "gpu/engines/dense/device_cells_plan.cuh"
#include "gpu/engines/dense/key_pass.cuh"
#include "gpu/engines/dense/many_keys/many_keys_plan.cuh"
#include "gpu/engines/dense/slot_pass.cuh"
