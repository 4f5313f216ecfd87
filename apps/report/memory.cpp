// Reads the memory of this process from /proc.
#include "apps/report/memory.hpp"

#include "core/file_descriptor.hpp"
#include "cpu/small_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>

namespace duomap::apps {

namespace {

// The number of a line such as "VmHWM:     1234 kB", converted to bytes.
std::uint64_t field(std::string_view status, std::string_view name) {
  const std::size_t at = status.find(name);
  if (at == std::string_view::npos) {
    return 0;
  }
  const std::size_t digits = status.find_first_not_of(" \t", at + name.size());
  if (digits == std::string_view::npos) {
    return 0;
  }
  std::uint64_t kibibytes = 0;
  std::from_chars(status.data() + digits, status.data() + status.size(), kibibytes);
  return kibibytes * 1024;
}

}  // namespace

memory_use parse_memory_use(std::string_view status) {
  return {.peak_resident = field(status, "\nVmHWM:"),
          .resident = field(status, "\nVmRSS:"),
          .anonymous = field(status, "\nRssAnon:")};
}

memory_use current_memory_use() { return parse_memory_use(cpu::read_small_file("/proc/self/status")); }

bool forget_peak_resident() {
  // Writing "5" resets the peak (proc(5)).
  const file_descriptor file(::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC));
  return file && ::write(file.get(), "5", 1) == 1;
}

void memory_watch::sample() {
  const std::uint64_t now = current_memory_use().anonymous;
  std::uint64_t largest = anonymous_.load(std::memory_order_relaxed);
  while (now > largest && !anonymous_.compare_exchange_weak(largest, now, std::memory_order_relaxed)) {
  }
}

memory_use memory_watch::peak() {
  sample();
  const memory_use now = current_memory_use();
  return {.peak_resident = now.peak_resident,
          .resident = now.resident,
          .anonymous = anonymous_.load(std::memory_order_relaxed)};
}

}  // namespace duomap::apps
