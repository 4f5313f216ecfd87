// Compares the memory before a run with the peak during it.
#include "bench/harness/memory_need.hpp"

#include "apps/report/memory.hpp"
#include "cpu/cores.hpp"
#include "gpu/device/device.hpp"
#include "gpu/runtime/memory_peak.hpp"

#include <malloc.h>

namespace duomap::apps {
namespace {

std::uint64_t take_peak_of_gpus() {
  std::uint64_t sum = 0;
  for (const gpu::device_info& device : gpu::discover().devices) sum += gpu::take_memory_peak(device.index);
  return sum;
}

// Memory that Linux may not have counted yet: a core adds pages to the process's total 32 at a time.
std::uint64_t uncounted_bytes() { return std::uint64_t{cpu::usable_cores().cores} * 32 * 4096; }

}  // namespace

memory_need memory_needed_by(const std::function<void()>& run) {
  memory_need need;
  static_cast<void>(take_peak_of_gpus());
  // Gives freed memory back to Linux: a run that reused it would seem to need less.
  ::malloc_trim(0);
  const bool is_counted = forget_peak_resident();
  const std::uint64_t before = current_memory_use().resident;
  run();
  const std::uint64_t peak = current_memory_use().peak_resident;
  if (is_counted && before > 0 && peak > before + uncounted_bytes()) need.host = peak - before;
  if (const std::uint64_t device = take_peak_of_gpus(); device > 0) need.device = device;
  return need;
}

}  // namespace duomap::apps
