// Page-locks the sources of an input, and lists the ranges for the feeders.
#include "gpu/feed/page_lock.hpp"

#include "gpu/device/device.hpp"
#include "gpu/device/gpu_state.hpp"
#include "gpu/feed/host_registration.hpp"
#include "gpu/feed/locked_ranges.hpp"

#include <cstddef>
#include <utility>

namespace duomap::gpu {

// The delegated constructor completes the object, so after an exception the destructor unlocks the ranges
// that were locked.
page_lock::page_lock(const input& from) : page_lock() {
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].addressable()) lock(from[i].bytes());
  }
}

page_lock::page_lock(byte_view memory) : page_lock() { lock(memory); }

page_lock::~page_lock() {
  for (const byte_view mine : ranges_) locked_ranges::of_this_process().remove(mine);
  if (any_hanging()) return;
  for (const byte_view mine : ranges_) unlock_pages(mine.data);
}

void page_lock::lock(byte_view memory) {
  if (memory.data == nullptr || memory.empty()) return;
  if (discover().devices.empty()) {
    refusal_ = discover().reason;
    return;
  }
  ranges_.reserve(ranges_.size() + 1);
  if (std::string why = lock_pages(memory); !why.empty()) {
    refusal_ = std::move(why);
    return;
  }
  ranges_.push_back(memory);
  bytes_ += memory.size;
  locked_ranges::of_this_process().add(memory);
}

bool is_page_locked(const input& from) {
  bool any = false;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (!from[i].addressable()) continue;
    const byte_view bytes = from[i].bytes();
    if (bytes.data == nullptr || bytes.empty()) continue;
    if (!locked_ranges::of_this_process().hold(bytes)) return false;
    any = true;
  }
  return any;
}

}  // namespace duomap::gpu
