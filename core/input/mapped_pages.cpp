#include "core/input/mapped_pages.hpp"

#include "core/input/mapping_registry.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace duomap {

void give_pages_back(byte_view part) noexcept {
  const listed_mapping all = find_mapping(part.data);
  if (part.size == 0 || all.bytes.data == nullptr || part.end() > all.bytes.end()) return;
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(part.data) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(part.end()) / page * page;
  // Advice: when it is refused the pages go with the mapping.
  if (begin < end) static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
}

}  // namespace duomap
