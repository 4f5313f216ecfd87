// The project's only macros: the mark of functions for CPU and GPU, and the switches of torture builds.
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

/// Torture builds make every rare path common: chunks have two records, tables have a few slots. They are
/// slow, and must give the same answers.
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

/// The distance in bytes between fields that different threads write, so that the threads do not share a
/// cache line. It is two lines, because x86 prefetches lines in pairs.
inline constexpr std::size_t cache_separation = 128;

}  // namespace duomap
