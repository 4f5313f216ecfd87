// Reads a descriptor in order, or a regular file in parts.
#include "core/input/file_stream.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "core/run_control.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace duomap {

namespace {

[[noreturn]] void fail_to_read(const std::string& name, std::uint64_t position) {
  const int error = errno;
  throw input_error("cannot read " + name + " at byte " + std::to_string(position) + ": " +
                    error_text(error) + "; check the device or connection it is on");
}

/// Reads bytes of a regular file from offset `at` on; fewer at its end. `position` is for messages.
std::uint64_t read_at(int file, std::uint64_t at, char* into, std::uint64_t count, const std::string& name,
                      std::uint64_t position) {
  std::uint64_t done = 0;
  while (done < count) {
    const ssize_t got = ::pread(file, into + done, count - done, static_cast<off_t>(at + done));
    if (got == 0) break;
    if (got > 0) {
      done += static_cast<std::uint64_t>(got);
    } else if (errno != EINTR) {
      fail_to_read(name, position + done);
    }
  }
  return done;
}

class file_part final : public stream_part {
 public:
  file_part(std::shared_ptr<const file_descriptor> file, std::uint64_t at, std::uint64_t bytes,
            std::string name, std::uint64_t position)
    : file_(std::move(file)), at_(at), bytes_(bytes), name_(std::move(name)), position_(position) {}

  [[nodiscard]] std::uint64_t most_bytes() const noexcept override { return bytes_; }

  std::uint64_t read(char* into) override {
    return read_at(file_->get(), at_, into, bytes_, name_, position_);
  }

 private:
  std::shared_ptr<const file_descriptor> file_;
  std::uint64_t at_;
  std::uint64_t bytes_;
  std::string name_;
  std::uint64_t position_;
};

}  // namespace

file_stream::file_stream(file_descriptor file, std::string name, const run_control* control,
                         std::uint64_t most, file_state* stamp)
  : file_(std::make_shared<const file_descriptor>(std::move(file))),
    name_(std::move(name)),
    control_(control),
    most_(most),
    stamp_(stamp) {
  struct stat status {};
  // A file with a stamp is regular, so its reads never wait.
  waits_ = stamp_ == nullptr && (::fstat(file_->get(), &status) != 0 || !S_ISREG(status.st_mode));
  if (!waits_) begin_ = static_cast<std::uint64_t>(std::max<off_t>(::lseek(file_->get(), 0, SEEK_CUR), 0));
  // A larger read-ahead pays, because the file is read once from beginning to end. A pipe ignores this
  // advice, and no harm is done if it fails.
  static_cast<void>(::posix_fadvise(file_->get(), 0, 0, POSIX_FADV_SEQUENTIAL));
}

std::uint64_t file_stream::read(char* into, std::uint64_t capacity) {
  expects(capacity > 0, "a read of no bytes looks like the end of the stream");
  capacity = std::min(capacity, most_ - position_);
  if (capacity == 0) return 0;
  for (;;) {
    if (waits_) wait();
    const ssize_t count = ::read(file_->get(), into, capacity);
    if (count >= 0) {
      if (stamp_ != nullptr) stamp_->has_read(*begin_ + position_, {into, static_cast<std::uint64_t>(count)});
      position_ += static_cast<std::uint64_t>(count);
      return static_cast<std::uint64_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) fail_to_read(name_, position_);
  }
}

std::optional<std::uint64_t> file_stream::look(std::uint64_t ahead, char* into, std::uint64_t count) {
  // If the system does not know a file's size, as in /proc, a second read may give other bytes.
  if (!begin_ || stamp_ == nullptr || stamp_->size() == 0) return std::nullopt;
  const std::uint64_t left = most_ - position_;
  if (ahead >= left) return 0;
  return read_at(file_->get(), *begin_ + position_ + ahead, into, std::min(count, left - ahead), name_,
                 position_ + ahead);
}

std::unique_ptr<stream_part> file_stream::take_part(std::uint64_t wanted) {
  char end[file_state::end_bytes];
  const std::uint64_t ends = std::min<std::uint64_t>(wanted, sizeof end);
  if (wanted > most_ - position_) return nullptr;
  // Gives the stamp both ends of the part now, because threads may read the parts of a file in any order.
  if (look(0, end, ends) != ends) return nullptr;
  stamp_->has_read(*begin_ + position_, {end, ends});
  if (wanted > ends) {
    if (look(wanted - ends, end, ends) != ends) return nullptr;
    stamp_->has_read(*begin_ + position_ + wanted - ends, {end, ends});
  }
  if (::lseek(file_->get(), static_cast<off_t>(wanted), SEEK_CUR) < 0) fail_to_read(name_, position_);
  auto part = std::make_unique<file_part>(file_, *begin_ + position_, wanted, name_, position_);
  position_ += wanted;
  return part;
}

/// Waits until the file has bytes or has ended. While no writer has opened a FIFO, neither is the case.
void file_stream::wait() const {
  constexpr int milliseconds = 50;
  pollfd wanted{file_->get(), POLLIN, 0};
  for (;;) {
    stop_if_cancelled(control_);
    const int ready = ::poll(&wanted, 1, control_ == nullptr ? -1 : milliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
  }
}

}  // namespace duomap
