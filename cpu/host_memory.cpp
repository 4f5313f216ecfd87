// Reads memory figures of the kernel, and derives the memory for a run's result.
#include "cpu/host_memory.hpp"

#include "cpu/cgroup.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace duomap::cpu {
namespace {

constexpr std::uint64_t unknown = ~std::uint64_t{0};

/// The address space that this process has left (ulimit -v).
std::uint64_t address_space_left() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown;
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const std::uint64_t used = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

}  // namespace

host_memory read_host_memory(const std::filesystem::path& root) {
  host_memory memory;
  std::ifstream meminfo(root / "proc/meminfo");
  for (std::string line; std::getline(meminfo, line);) {
    // A line looks like "MemTotal:       65536000 kB".
    std::istringstream words(line);
    std::string name;
    std::uint64_t kibibytes = 0;
    if (!(words >> name >> kibibytes)) continue;
    if (name == "MemTotal:") memory.total = kibibytes * 1024;
    if (name == "MemAvailable:") memory.available = kibibytes * 1024;
    if (name == "Hugepagesize:") memory.huge_page = kibibytes * 1024;
  }
  // The file has the current choice in brackets: "always [madvise] never".
  std::ifstream enabled(root / "sys/kernel/mm/transparent_hugepage/enabled");
  for (std::string word; enabled >> word;) {
    if (word.size() > 2 && word.front() == '[' && word.back() == ']') {
      memory.transparent_huge_pages = word.substr(1, word.size() - 2);
    }
  }
  return memory;
}

std::uint64_t memory_for_results(const std::filesystem::path& root) {
  const std::uint64_t available = read_host_memory(root).available;
  const std::uint64_t free =
      std::min({available > 0 ? available : unknown, read_cgroup_limits(root).memory_left.value_or(unknown),
                address_space_left()});
  return free == unknown ? unknown : free / 4 * 3;
}

}  // namespace duomap::cpu
