// A whole benchmark run as it is saved: where and how it was measured, and the tables.
// host only
#pragma once

#include "apps/bench/harness/bench_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// The hardware and the build that figures belong to. Empty texts and zeros: unknown.
struct bench_machine {
  std::string cpu;                 ///< model, as the processor calls itself
  unsigned cores = 0;              ///< usable by this process
  std::string vector_path;         ///< "avx512"
  std::uint64_t memory_bytes = 0;  ///< of the host
  std::vector<std::string> gpus;   ///< "NVIDIA H200, 150 GB"
  std::string driver;              ///< the CUDA that the GPUs' driver supports: "13.0"; empty without one
  std::string system;              ///< kernel: "Linux 6.1.0 x86_64"
};

struct bench_build {
  std::string version;   ///< of duomap
  std::string commit;    ///< of the source tree: $DUOMAP_COMMIT, which `./dev bench` sets when it has built
  std::string id;        ///< the linker's build identifier: another one for every change of the code
  std::string compiler;  ///< "g++ 12.2, Release, CUDA 13.0"
};

struct bench_run {
  std::string date;     ///< UTC, "2026-11-21T23:45:00Z"
  std::string command;  ///< as it was typed
  bool quick = false;
  bench_machine machine;
  bench_build build;
  std::vector<bench_table> tables;
  std::string ended_early;  ///< why measurements are missing that were asked for; else empty
};

/// Date, machine and build of now, without tables. Loads the GPU driver if there is one; starts no thread.
[[nodiscard]] bench_run new_run(std::string command, bool quick);

}  // namespace duomap::apps
