// Parses two files of the kernel.
#include "cpu/host_memory.hpp"

#include "cpu/cgroup.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace duomap::cpu {

host_memory read_host_memory(const std::filesystem::path& root) {
  host_memory memory;
  std::ifstream meminfo(root / "proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    // "MemTotal:       65536000 kB"
    std::istringstream words(line);
    std::string name;
    std::uint64_t kibibytes = 0;
    if (!(words >> name >> kibibytes)) continue;
    if (name == "MemTotal:") memory.total = kibibytes * 1024;
    if (name == "MemAvailable:") memory.available = kibibytes * 1024;
    if (name == "Hugepagesize:") memory.huge_page = kibibytes * 1024;
  }
  // The choice in force stands in brackets: "always [madvise] never".
  std::ifstream enabled(root / "sys/kernel/mm/transparent_hugepage/enabled");
  for (std::string word; enabled >> word;) {
    if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
      memory.transparent_huge_pages = word.substr(1, word.size() - 2);
    }
  }
  return memory;
}

std::uint64_t memory_for_results(const std::filesystem::path& root) {
  constexpr std::uint64_t unknown = ~std::uint64_t{0};
  const std::uint64_t available = read_host_memory(root).available;
  const std::uint64_t free =
      std::min(available > 0 ? available : unknown, read_cgroup_limits(root).memory.value_or(unknown));
  return free == unknown ? unknown : free / 4 * 3;
}

}  // namespace duomap::cpu
