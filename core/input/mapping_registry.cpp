// Keeps the list of mappings in atomics, which a signal handler may read.
#include "core/input/mapping_registry.hpp"

#include <array>
#include <atomic>

namespace duomap {

namespace {

// A sequence lock: while `version` is odd, a thread is changing the fields. Nobody changes the slot of a
// mapping that has just faulted, so the handler may skip slots with an odd version. All accesses use the
// default memory order: each mapping has only two registrations, each crash one search.
struct slot {
  std::atomic<std::uint64_t> version{0};
  std::atomic<std::uintptr_t> begin{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
  std::atomic<const char*> name{nullptr};
  std::atomic<std::uint64_t> device{0};
  std::atomic<std::uint64_t> inode{0};
  std::atomic<const file_state*> stamp{nullptr};
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free &&
                  std::atomic<const char*>::is_always_lock_free,
              "a signal handler may only touch atomics that take no lock");

std::array<slot, max_mappings> slots;   // constant-initialised, so usable before main() and in any handler
std::atomic<std::size_t> next_slot{0};  // the next slot to try: a new mapping need not pass all used slots
std::atomic<std::size_t> in_use{0};     // number of used slots; a search in all slots takes 3 us

}  // namespace

listed_mapping find_mapping(const void* address) noexcept {
  if (in_use.load() == 0) return {};
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (const slot& s : slots) {
    // Skips free slots fast: most slots are free, and the look at a used one takes five times as long.
    if (s.begin.load(std::memory_order_relaxed) - 1 >= wanted) continue;
    const std::uint64_t version = s.version.load();
    const std::uintptr_t begin = s.begin.load();
    const std::uintptr_t end = s.end.load();
    const char* const name = s.name.load();
    const file_identity file{s.device.load(), s.inode.load()};
    const file_state* const stamp = s.stamp.load();
    if (version % 2 == 0 && version == s.version.load() && begin <= wanted && wanted < end) {
      return {{reinterpret_cast<const char*>(begin), end - begin}, name, file, stamp};
    }
  }
  return {};
}

const char* mapping_name(const void* address) noexcept { return find_mapping(address).name; }

mapping_registration::mapping_registration(const void* begin, std::uint64_t size, const char* name,
                                           file_identity file, const file_state* stamp) noexcept
  : slot_(max_mappings) {
  const std::size_t first = next_slot.fetch_add(1);
  for (std::size_t tried = 0; tried < max_mappings; ++tried) {
    const std::size_t i = (first + tried) % max_mappings;
    slot& s = slots[i];
    std::uint64_t version = s.version.load();
    if (version % 2 != 0 || s.begin.load() != 0 || !s.version.compare_exchange_strong(version, version + 1)) {
      continue;
    }
    s.begin.store(reinterpret_cast<std::uintptr_t>(begin));
    s.end.store(reinterpret_cast<std::uintptr_t>(begin) + size);
    s.name.store(name);
    s.device.store(file.device);
    s.inode.store(file.inode);
    s.stamp.store(stamp);
    s.version.store(version + 2);
    in_use.fetch_add(1);
    slot_ = i;
    return;
  }
}

mapping_registration::~mapping_registration() {
  if (slot_ == max_mappings) {
    return;
  }
  slot& s = slots[slot_];
  in_use.fetch_sub(1);
  const std::uint64_t version = s.version.load();
  s.version.store(version + 1);
  s.begin.store(0);
  s.end.store(0);
  s.name.store(nullptr);
  s.stamp.store(nullptr);
  s.version.store(version + 2);
}

}  // namespace duomap
