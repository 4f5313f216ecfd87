// Opens and closes file descriptors.
#include "core/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace duomap {

file_descriptor::~file_descriptor() {
  if (value_ >= 0) {
    ::close(value_);
  }
}

file_descriptor open_for_reading(const std::string& path, int flags) noexcept {
  int value = -1;
  do {
    value = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | flags);
  } while (value < 0 && errno == EINTR);
  return file_descriptor(value);
}

}  // namespace duomap
