#include "core/input/file_stream.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace duomap {

file_stream::file_stream(file_descriptor file, std::string name)
  : file_(std::move(file)), name_(std::move(name)) {
  // Read once, front to back: a larger read-ahead. Says nothing to a pipe, and its failure harms nobody.
  static_cast<void>(::posix_fadvise(file_.get(), 0, 0, POSIX_FADV_SEQUENTIAL));
}

std::uint64_t file_stream::read(char* into, std::uint64_t capacity) {
  expects(capacity > 0, "a read of no bytes looks like the end of the stream");
  for (;;) {
    const ssize_t count = ::read(file_.get(), into, capacity);
    if (count >= 0) {
      position_ += static_cast<std::uint64_t>(count);
      return static_cast<std::uint64_t>(count);
    }
    if (errno == EAGAIN) {
      pollfd wait{file_.get(), POLLIN, 0};
      static_cast<void>(::poll(&wait, 1, -1));
    } else if (errno != EINTR) {
      const int error = errno;
      throw input_error("cannot read " + name_ + " at byte " + std::to_string(position_) + ": " +
                        error_text(error) + "; check the device or connection it is on");
    }
  }
}

}  // namespace duomap
