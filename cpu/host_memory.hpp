// Reads the figures of the machine's memory from the kernel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace duomap::cpu {

/// Sizes in bytes, 0 where the kernel does not say.
struct host_memory {
  std::uint64_t total = 0;
  std::uint64_t available = 0;         ///< memory to be had without swapping, including droppable page cache
  std::uint64_t huge_page = 0;         ///< size of a huge page
  std::string transparent_huge_pages;  ///< "always", "madvise" or "never"; empty: the kernel has none
};

/// Reads proc/meminfo and sys/kernel/mm/transparent_hugepage/enabled under `root`. Does not throw if a file
/// cannot be read.
[[nodiscard]] host_memory read_host_memory(const std::filesystem::path& root = "/");

/// The memory that a run's result may take if the user gives no limit: three quarters of the free memory.
/// Free is the smallest of the machine's available memory, the rest of the cgroup's limit, and the rest of
/// the process's address space. If none of them is known, there is no limit (the largest number). Takes some
/// tens of microseconds.
[[nodiscard]] std::uint64_t memory_for_results(const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
