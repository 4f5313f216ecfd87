// The project's only macros: host/device marking and the switches of torture builds.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
/// Marks a function that a task's map may call on the CPU and on a GPU.
#define DUOMAP_HD __host__ __device__
#else
#define DUOMAP_HD
#endif

namespace duomap {

/// Torture builds make every rare path common: two-record chunks, tables of a few slots, one hash for all
/// keys. They are slow, and their answers must be the same.
#if defined(DUOMAP_TORTURE)
inline constexpr bool torture = true;
#else
inline constexpr bool torture = false;
#endif

/// Every key gets the same hash, so that nothing but the key bytes can tell keys apart.
#if defined(DUOMAP_TORTURE_HASH)
inline constexpr bool torture_hash = true;
#else
inline constexpr bool torture_hash = false;
#endif

/// Bytes between fields that different threads write, so that they do not share a cache line. Two lines,
/// because x86 prefetches lines in pairs.
inline constexpr std::size_t cache_separation = 128;

}  // namespace duomap
