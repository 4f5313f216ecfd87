// Reads proc/cpuinfo.
#include "cpu/processor.hpp"

#include <fstream>

namespace duomap::cpu {

std::string processor_name(const std::filesystem::path& root) {
  std::ifstream file(root / "proc" / "cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

}  // namespace duomap::cpu
