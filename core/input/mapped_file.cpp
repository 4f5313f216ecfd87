// Maps a file, and adds a page of padding where the file's last page has too little.
#include "core/input/mapped_file.hpp"

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/input/unmap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace duomap {

namespace {

std::uint64_t whole_pages(std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

// No madvise on purpose: workers and devices claim chunks at several places of a file at once and may read it
// again, and the default (read around a fault) is made for that. MADV_SEQUENTIAL would give pages back after
// the first use, MADV_RANDOM would read no page ahead.
std::unique_ptr<mapped_file> mapped_file::map(int descriptor, std::string name, opening_stamp& stamp,
                                              std::uint64_t skipped) {
  const std::uint64_t size = stamp.size();
  expects(size > skipped, "an empty file cannot be mapped");
  const std::uint64_t file_length = whole_pages(size);
  const std::uint64_t length = whole_pages(size + read_padding);

  // Reserves the padding's page too, although the file does not reach it; reading it would raise SIGBUS.
  void* const begin = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0);
  if (begin == MAP_FAILED) {
    return nullptr;
  }
  // The padding gets a page of its own only when the file ends too close to the end of its last page, because
  // that page costs a second memory area.
  if (length != file_length) {
    char* const padding = static_cast<char*>(begin) + file_length;
    if (::mmap(padding, length - file_length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED) {
      ::munmap(begin, length);
      return nullptr;
    }
  }
  stamp.keep_ends(descriptor);
  return std::unique_ptr<mapped_file>(
      new mapped_file(static_cast<const char*>(begin), length, skipped, std::move(name), std::move(stamp)));
}

mapped_file::mapped_file(const char* begin, std::uint64_t length, std::uint64_t skipped, std::string name,
                         opening_stamp stamp)
  : source(std::move(name)),
    pages_(begin, length),
    stamp_(std::move(stamp)),
    size_(stamp_.size()),
    skipped_(skipped),
    registration_(begin, whole_pages(size_), this->name().c_str(), stamp_.identity(), &stamp_) {}

mapped_file::mapping::~mapping() { unmap(begin, length); }

}  // namespace duomap
