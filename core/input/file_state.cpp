// Finds changes of a file since it was opened, by its status and its first and last bytes.
#include "core/input/file_state.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace duomap {

namespace {

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/// Bytes [from, to) of a file; fewer if the file ends earlier.
std::string bytes_at(int descriptor, std::uint64_t from, std::uint64_t to) {
  std::string bytes(to - from, '\0');
  ssize_t count = -1;
  do {
    count = ::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(from));
  } while (count < 0 && errno == EINTR);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return bytes;
}

[[noreturn]] void refuse_unknown(const std::string& name) {
  throw input_error("cannot see whether " + name + " changes while it is read: " + error_text(errno) +
                    "; check the path and the file system it is on");
}

}  // namespace

file_state::file_state(int descriptor, const std::string& path, const std::string& name)
  : path_(path), name_(path.empty() ? name : quoted(path)) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse_unknown(name_);
  if (path_.empty()) {
    kept_ = file_descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0));
    if (!kept_) refuse_unknown(name_);
  }
  identity_ = {status.st_dev, status.st_ino};
  size_ = static_cast<std::uint64_t>(status.st_size);
  changed_ = status.st_mtim;
}

void file_state::keep_first(std::string_view bytes) { first_ = bytes.substr(0, end_bytes); }

void file_state::keep_ends(int descriptor) {
  const std::uint64_t part = std::min(end_bytes, size_);
  const std::string seen = std::exchange(first_, bytes_at(descriptor, 0, part));
  if (!first_.starts_with(seen.substr(0, part))) refuse("was rewritten");
  last_ = bytes_at(descriptor, size_ - part, size_);
  end_ = size_;
}

void file_state::has_read(std::uint64_t at, byte_view bytes) {
  if (first_.empty()) begin_ = at;
  if (at == begin_ + first_.size() && first_.size() < end_bytes)
    first_.append(bytes.text().substr(0, end_bytes - first_.size()));
  if (at != end_) last_.clear();  // the file is read a second time
  last_.append(bytes.text().substr(bytes.size - std::min(bytes.size, end_bytes)));
  if (last_.size() > end_bytes) last_.erase(0, last_.size() - end_bytes);
  end_ = at + bytes.size;
}

std::string file_state::change() const {
  struct stat now {};
  if (size_ == 0 || !look(now)) return {};
  if (identity_ != file_identity{now.st_dev, now.st_ino}) refuse("was replaced by another file");
  if (same_time(now.st_mtim, changed_) && static_cast<std::uint64_t>(now.st_size) == size_) return {};
  // An append changes the time before the size, so the size may follow a moment later.
  constexpr int looks = 10;
  for (int i = 0; i < looks && static_cast<std::uint64_t>(now.st_size) == size_; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (!look(now)) return {};
  }
  const auto size = static_cast<std::uint64_t>(now.st_size);
  if (size < size_) {
    refuse("was cut from " + std::to_string(size_) + " to " + std::to_string(size) + " bytes");
  }
  if (size == size_ || !ends_are_the_same()) refuse("was rewritten");
  return name_ + " grew by " + std::to_string(size - size_) + " bytes while it was being read; the first " +
         std::to_string(size_) + " bytes were read, which it had when it was opened";
}

/// Returns false if the path no longer leads to a file. Then the opened file counts as unchanged.
bool file_state::look(struct stat& now) const {
  if ((path_.empty() ? ::fstat(kept_.get(), &now) : ::stat(path_.c_str(), &now)) == 0) return true;
  if (errno != ENOENT && errno != ENOTDIR) refuse_unknown(name_);
  return false;
}

bool file_state::ends_are_the_same() const {
  const file_descriptor opened = path_.empty() ? file_descriptor() : open_for_reading(path_);
  const int file = path_.empty() ? kept_.get() : opened.get();
  return bytes_at(file, begin_, begin_ + first_.size()) == first_ &&
         bytes_at(file, end_ - last_.size(), end_) == last_;
}

void file_state::refuse(const std::string& what) const {
  throw input_error(name_ + " " + what +
                    " while it was being read; leave inputs alone during a run, and run again");
}

}  // namespace duomap
