// Maps a file. Adds a page of padding if the last page of the file has no room for the padding.
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

// Calls no madvise() on purpose. Workers and devices claim chunks at several places at once and may read them
// again. The default, which reads around a fault, suits that: MADV_SEQUENTIAL would drop pages after their
// first use, and MADV_RANDOM would read no page ahead.
std::unique_ptr<mapped_file> mapped_file::map(int descriptor, std::string name, file_state& stamp,
                                              std::uint64_t skipped) {
  const std::uint64_t size = stamp.size();
  expects(size > skipped, "an empty file cannot be mapped");
  const std::uint64_t file_length = whole_pages(size);
  const std::uint64_t length = whole_pages(size + read_padding);

  // Also reserves address space for a page of padding. The file does not reach that page, so reading it now
  // would raise SIGBUS.
  void* const begin = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, descriptor, 0);
  if (begin == MAP_FAILED) {
    return nullptr;
  }
  // Makes a page for the padding only if the file's last page has no room for it, because that page takes a
  // second memory area of the process.
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
                         file_state stamp)
  : source(std::move(name)),
    pages_(begin, length),
    stamp_(std::move(stamp)),
    size_(stamp_.size()),
    skipped_(skipped),
    registration_(begin, whole_pages(size_), this->name().c_str(), stamp_.identity(), &stamp_) {}

mapped_file::mapping::~mapping() { unmap(begin, length); }

}  // namespace duomap
