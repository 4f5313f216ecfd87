// Asks every part of duomap about this machine and writes the answers down.
#include "apps/commands/doctor.hpp"

#include "apps/report/build_text.hpp"
#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/gzip_stream.hpp"
#include "core/input/lz4_stream.hpp"
#include "core/input/xz_stream.hpp"
#include "core/input/zstd_stream.hpp"
#include "core/seconds_text.hpp"
#include "core/version.hpp"
#include "cpu/cgroup.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/host_memory.hpp"
#include "cpu/tbb_pool.hpp"
#include "cpu/topology.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/driver_query.hpp"
#include "gpu/device/driver_status.hpp"
#include "gpu/device/pci_link.hpp"
#include "gpu/device/peers.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::size_t label_width = 14;
constexpr std::size_t line_width = 100;

std::string counted(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string libraries() {
  std::string text = "oneTBB " + cpu::tbb_version() + ", hwloc " + cpu::hwloc_version();
  for (const auto& library : {gzip_library(), zstd_library(), xz_library(), lz4_library()}) {
    if (!library.empty()) text += ", " + library;
  }
  return text;
}

void report_program(std::ostream& out) {
  out << report_entry("duomap", std::string(version));
  out << report_entry("build", build_text());
  out << report_entry("libraries", libraries());
  for (const compression kind : {compression::gzip, compression::zstd, compression::xz, compression::lz4}) {
    if (const std::string lacking = lacking_library(kind); !lacking.empty()) out << report_entry("", lacking);
  }
  out << report_entry("kernel", kernel_text());
}

/// Returns false when DUOMAP_VECTOR names instructions that this CPU lacks. Every run then fails.
bool report_vector_path(std::ostream& out) {
  const std::string best(cpu::name(cpu::best_vector_path()));
  try {
    const std::string active(cpu::name(cpu::active_vector_path()));
    out << report_entry(
        "vector path", active == best ? active : active + " (DUOMAP_VECTOR; this CPU supports " + best + ")");
    return true;
  } catch (const usage_error& problem) {
    out << report_entry("vector path", std::string("problem: ") + problem.what());
    return false;
  }
}

std::string describe(const cpu::cache_group& cache) {
  std::string text = std::to_string(cache.count) + " x " + memory_text(cache.bytes);
  if (cache.shared_by > 1) text += ", each shared by " + std::to_string(cache.shared_by) + " threads";
  return text;
}

void report_topology(std::ostream& out) {
  try {
    const cpu::topology machine = cpu::read_topology();
    out << report_entry("cpu", machine.cpu_model.empty() ? "unknown model" : machine.cpu_model);
    out << report_entry("", counted(machine.packages, "package") + ", " + counted(machine.cores, "core") +
                                ", " + counted(machine.cpus, "hardware thread"));
    for (const auto& cache : machine.caches) {
      out << report_entry("cache L" + std::to_string(cache.level), describe(cache));
    }
    for (const auto& node : machine.nodes) {
      std::string text = counted(node.cpus.size(), "hardware thread");
      // A machine with one node has an entry for its memory already.
      if (machine.nodes.size() > 1) text += ", " + memory_text(node.memory_bytes);
      out << report_entry("NUMA node " + std::to_string(node.id), text);
    }
  } catch (const error& problem) {
    out << report_entry("cpu", std::string("problem: ") + problem.what());
  }
}

void report_memory(std::ostream& out) {
  const cpu::host_memory memory = cpu::read_host_memory();
  out << report_entry("memory",
                      memory_text(memory.total) + ", " + memory_text(memory.available) + " available");
  const auto limit = cpu::read_cgroup_limits().memory;
  if (limit && *limit < memory.total) {
    out << report_entry("",
                        "cgroup limit: " + memory_text(*limit) + ", mapped input counts while it is cached");
  }
  if (memory.transparent_huge_pages.empty()) {
    out << report_entry("huge pages", "none in this kernel");
  } else if (memory.transparent_huge_pages == "never") {
    out << report_entry("huge pages",
                        "never; tables are faster with them: write madvise (as root) to "
                        "/sys/kernel/mm/transparent_hugepage/enabled");
  } else {
    out << report_entry("huge pages",
                        memory.transparent_huge_pages + ", " + memory_text(memory.huge_page) + " each");
  }
}

std::string describe(const gpu::device_info& device) {
  return device.name + ", capability " + std::to_string(device.major) + "." + std::to_string(device.minor) +
         ", " + memory_text(device.memory_bytes) + ", " + std::to_string(device.multiprocessors) +
         " multiprocessors, L2 " + memory_text(device.l2_bytes) + ", PCI " + device.pci_bus;
}

// How a GPU is connected: its link to the host, and its nearest NUMA node.
std::string place_of(const gpu::device_info& device) {
  std::string text = gpu::pci_link(device.pci_bus);
  const std::string node = gpu::pci_numa_node(device.pci_bus);
  if (!node.empty()) text += (text.empty() ? "at NUMA node " : ", at NUMA node ") + node;
  return text;
}

void report_gpus(std::ostream& out) {
  const auto begin = std::chrono::steady_clock::now();
  const gpu::discovery& found = gpu::discover();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  for (const auto& device : found.devices) {
    out << report_entry("GPU " + std::to_string(device.index), describe(device));
    if (const std::string place = place_of(device); !place.empty()) out << report_entry("", place);
  }
  std::vector<int> indices;
  for (const auto& device : found.devices) indices.push_back(device.index);
  for (const std::string& sentence : gpu::peer_sentences(indices, gpu::query_peer))
    out << report_entry("GPU links", sentence);
  if (found.devices.empty()) {
    out << report_entry("GPU", "none: " + found.reason);
  } else if (!found.reason.empty()) {
    out << report_entry("", "problem: " + found.reason);
  }
  if (found.driver_version != 0) {
    out << report_entry("GPU driver", "supports CUDA " + gpu::version_text(found.driver_version));
    if (const std::string slow = slow_discovery_text(took.count()); !slow.empty())
      out << report_entry("GPU start", slow);
  }
}

}  // namespace

std::string slow_discovery_text(double seconds) {
  // Finding one GPU usually takes less time, even if no program keeps the GPU ready (decision 89).
  constexpr double usual_seconds = 0.25;
  if (seconds < usual_seconds) return "";
  return "finding the GPUs took " + seconds_text(seconds) +
         "; each process waits for that unless the driver keeps GPUs ready that no process uses: start "
         "nvidia-persistenced, or run nvidia-smi -pm 1 (as root)";
}

std::string report_entry(std::string_view label, std::string_view text) {
  std::string entry(label);
  std::size_t column = label.size();
  bool first_word = true;
  const auto indent = [&] {
    entry.append(column < label_width ? label_width - column : 1, ' ');
    column = std::max(column + 1, label_width);
  };
  indent();
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!first_word && column + 1 + word.size() > line_width) {
      entry += '\n';
      column = 0;
      indent();
    } else if (!first_word) {
      entry += ' ';
      ++column;
    }
    entry += word;
    column += word.size();
    first_word = false;
  }
  return entry + "\n";
}

std::string memory_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  // 1023.95 would be rounded to 1024.0, so it takes the next unit.
  while (value >= 1023.95 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  char number[32];
  std::snprintf(number, sizeof number, "%.1f", value);
  std::string text(number);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text + " " + units[unit];
}

int doctor(std::ostream& out) {
  report_program(out);
  out << '\n';
  report_topology(out);
  const cpu::core_count usable = cpu::usable_cores();
  out << report_entry("usable cores", std::to_string(usable.cores) + " (" + usable.reason + ")");
  const bool vector_path_works = report_vector_path(out);
  report_memory(out);
  out << '\n';
  report_gpus(out);
  return static_cast<int>(vector_path_works ? exit_status::ok : exit_status::failed);
}

}  // namespace duomap::apps
