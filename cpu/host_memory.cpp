// Parses two files of the kernel.
#include "cpu/host_memory.hpp"

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

}  // namespace duomap::cpu
