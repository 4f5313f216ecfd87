// Opens a mapped file a second time, and reads it by pread.
#include "core/input/mapping_reader.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace duomap {

std::unique_ptr<mapping_reader> mapping_reader::open(const listed_mapping& mapping) {
  // Checks that the path leads to the same file before it opens the path: if a FIFO has that name now,
  // opening it would wait for a writer.
  struct stat status {};
  const auto is_the_file = [&] {
    return mapping.file == file_identity{status.st_dev, status.st_ino};
  };
  if (mapping.name == nullptr || ::stat(mapping.name, &status) != 0 || !is_the_file()) return nullptr;
  file_descriptor file = open_for_reading(mapping.name);
  if (!file || ::fstat(file.get(), &status) != 0 || !is_the_file()) return nullptr;
  return std::unique_ptr<mapping_reader>(new mapping_reader(mapping, std::move(file)));
}

void mapping_reader::read(const char* from, std::uint64_t bytes, char* to) const {
  while (bytes > 0) {
    const auto at = static_cast<off_t>(from - mapping_.bytes.data);
    const ssize_t count = ::pread(file_.get(), to, bytes, at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      throw input_error("cannot read " + quoted(mapping_.name) + " at byte " + std::to_string(at) + ": " +
                        (count == 0 ? "it became shorter while it was being read; leave inputs alone during "
                                      "a run, and run again"
                                    : error_text(errno) + "; check the file system it is on"));
    }
    from += count;
    to += count;
    bytes -= static_cast<std::uint64_t>(count);
  }
}

}  // namespace duomap
