// Finds the build identifier in the ELF notes of the running program.
#include "scheduler/history/program_build.hpp"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace duomap::scheduler {
namespace {

// A note has a header, a name and contents. Each of them is padded to four bytes.
constexpr std::size_t padded(std::size_t size) { return (size + 3) / 4 * 4; }

// Finds the identifier in the notes of a segment.
void find_build_id(const char* notes, std::size_t size, std::string& into) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const std::size_t name_bytes = padded(header.n_namesz);
    const std::size_t whole = sizeof header + name_bytes + padded(header.n_descsz);
    if (whole > size) return;
    const char* const name = notes + sizeof header;
    if (header.n_type == NT_GNU_BUILD_ID &&
        std::string_view(name, header.n_namesz) == std::string_view("GNU", 4)) {
      static constexpr char digits[] = "0123456789abcdef";
      for (std::size_t i = 0; i < header.n_descsz; ++i) {
        const auto byte = static_cast<unsigned char>(name[name_bytes + i]);
        into += {digits[byte >> 4], digits[byte & 15]};
      }
      return;
    }
    notes += whole;
    size -= whole;
  }
}

// The system calls this function first for the program itself, and its result ends the walk there.
int look_at(dl_phdr_info* object, std::size_t, void* result) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
    auto& id = *static_cast<std::string*>(result);
    find_build_id(notes, segment.p_memsz, id);
    if (!id.empty()) break;
  }
  return 1;
}

}  // namespace

std::string program_build() {
  std::string id;
  dl_iterate_phdr(look_at, &id);
  return id;
}

}  // namespace duomap::scheduler
