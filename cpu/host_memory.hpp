// Reads the figures of the machine's memory from the kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace duomap::cpu {

/// Sizes in bytes, 0 where the kernel does not say.
struct host_memory {
  std::uint64_t total = 0;
  std::uint64_t available = 0;         ///< can be had without swapping, the page cache's part included
  std::uint64_t huge_page = 0;         ///< size of a huge page
  std::string transparent_huge_pages;  ///< "always", "madvise" or "never"; empty when the kernel has none
};

/// Reads proc/meminfo and sys/kernel/mm/transparent_hugepage/enabled under `root`. Never throws for a file
/// that it cannot read.
[[nodiscard]] host_memory read_host_memory(const std::filesystem::path& root = "/");

/// The memory that a run's result may take when no limit is given: three quarters of the available memory, of
/// the rest of the cgroup's limit, or of the rest of the process's address space, whichever is least; without
/// any of them, no limit (the largest number). Costs some tens of microseconds.
[[nodiscard]] std::uint64_t memory_for_results(const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
