// A benchmark run as it is saved: its machine, its build and its tables.
// host only
#pragma once

#include "bench/harness/bench_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// The hardware that a run was measured on. Empty texts and zeros mean unknown.
struct bench_machine {
  std::string cpu;                 ///< the model, by the processor's own name
  unsigned cores = 0;              ///< cores that this process can use
  std::string vector_path;         ///< "avx512"
  std::uint64_t memory_bytes = 0;  ///< memory of the host
  std::vector<std::string> gpus;   ///< "NVIDIA H200, 150 GB"
  std::string driver;  ///< the CUDA version that the GPUs' driver supports, "13.0"; empty without a driver
  std::string system;  ///< the kernel, "Linux 6.1.0 x86_64"
};

struct bench_build {
  std::string version;   ///< of duomap
  std::string commit;    ///< of the source tree: $DUOMAP_COMMIT, which `./dev bench` sets when it has built
  std::string id;        ///< the linker's build identifier, which changes with the code
  std::string compiler;  ///< "g++ 12.2, Release, CUDA 13.0"
};

struct bench_run {
  std::string date;     ///< UTC, "2026-11-21T23:45:00Z"
  std::string command;  ///< as the user typed it
  bool quick = false;
  bench_machine machine;
  bench_build build;
  std::vector<bench_table> tables;
  std::string ended_early;  ///< why some chosen measurements are missing; else empty
};

/// The current date, this machine and this build, without tables. Loads the GPU driver if there is one;
/// starts no thread.
[[nodiscard]] bench_run new_run(std::string command, bool quick);

}  // namespace duomap::apps
