// Includes the dense engine with all its passes, for every task that it can run.
#pragma once

#include "gpu/engines/dense/all_passes.cuh"
#include "gpu/engines/dense/dense_engine.cuh"
