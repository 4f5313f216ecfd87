// Declares the GPU code of the k-means step in deterministic mode, which deterministic_step.cu makes.
#pragma once

#include "core/deterministic.hpp"
#include "gpu/make_backend.hpp"
#include "numeric/kmeans/kmeans_step.hpp"

namespace duomap::gpu {

template <>
inline constexpr bool has_code<deterministic<apps::kmeans_step<3>>> = DUOMAP_HAS_CUDA;

}  // namespace duomap::gpu
