// Reads sys/devices/system/node.
#include "cpu/numa_node.hpp"

#include "cpu/affinity.hpp"
#include "cpu/small_file.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace duomap::cpu {
namespace {

namespace fs = std::filesystem;

/// Parses a text that is a number and nothing else.
std::optional<unsigned> parse(std::string_view text) {
  unsigned number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Finds "Node 0 MemTotal:       65536 kB" among the lines of a node's meminfo.
std::uint64_t read_memory_bytes(const fs::path& meminfo) {
  constexpr std::string_view total = "MemTotal:";
  const std::string text = read_small_file(meminfo);
  const std::size_t at = text.find(total);
  if (at == std::string::npos) return 0;
  const std::size_t digits = text.find_first_not_of(' ', at + total.size());
  if (digits == std::string::npos) return 0;
  std::uint64_t kibibytes = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), kibibytes);
  return kibibytes * 1024;
}

}  // namespace

std::vector<unsigned> parse_cpu_list(std::string_view text) {
  // No machine has more CPUs than this. Without the limit, a garbled number could make a list of gigabytes.
  constexpr unsigned largest = 1U << 20;
  std::vector<unsigned> cpus;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty()) {
    const std::string_view range = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), range.size() + 1));
    const std::size_t dash = range.find('-');
    const auto first = parse(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse(range.substr(dash + 1));
    if (!first || !last || *last > largest) continue;
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::vector<numa_node> numa_nodes(const std::vector<unsigned>& allowed, const fs::path& root) {
  const fs::path all = root / "sys/devices/system/node";
  std::vector<numa_node> nodes;
  // The loop reads the kernel's list and does not iterate over the folder, because libstdc++ ends the process
  // when such an iteration finds no memory.
  for (const unsigned id : parse_cpu_list(read_small_file(all / "online"))) {
    const fs::path folder = all / ("node" + std::to_string(id));
    numa_node node{id, parse_cpu_list(read_small_file(folder / "cpulist")), 0};
    if (!allowed.empty()) {
      std::vector<unsigned> both;
      std::set_intersection(node.cpus.begin(), node.cpus.end(), allowed.begin(), allowed.end(),
                            std::back_inserter(both));
      node.cpus = std::move(both);
    }
    if (node.cpus.empty()) continue;
    node.memory_bytes = read_memory_bytes(folder / "meminfo");
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<numa_node> numa_nodes() { return numa_nodes(allowed_cpus()); }

}  // namespace duomap::cpu
