// Creates and locks a file under a hidden name, and removes the one that a killed process left there.
#include "core/output/unfinished_file.hpp"

#include "core/hash.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>

namespace duomap {

namespace {

std::string hidden_name(std::uint64_t number) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string name = ".duomap-";
  for (int shift = 60; shift >= 0; shift -= 4) name += digits[number >> shift & 15];
  return name;
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  // The kernel always gives a few bytes. If it did not, the name would only be less random, and open() would
  // still refuse a name that is taken.
  [[maybe_unused]] const ssize_t size = ::getrandom(&number, sizeof number, GRND_NONBLOCK);
  return number;
}

bool lock(const file_descriptor& file) { return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0; }

/// Whether `path` still leads to this open file.
bool is_at(const std::string& path, const struct stat& opened) {
  struct stat now {};
  return ::lstat(path.c_str(), &now) == 0 && now.st_dev == opened.st_dev && now.st_ino == opened.st_ino;
}

/// Removes a file of this user that no process has locked, because then its writer was killed.
void remove_abandoned(const std::string& path) {
  const file_descriptor file = open_for_reading(path, O_NOFOLLOW | O_NONBLOCK);
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  if (status.st_uid == ::geteuid() && lock(file) && is_at(path, status)) ::unlink(path.c_str());
}

/// Removes a new file after an error. Returns no file, and sets errno to `problem`.
file_descriptor removed(const std::string& path, int problem) {
  ::unlink(path.c_str());
  errno = problem;
  return {};
}

/// Creates and locks a file. Returns no file and sets errno to EEXIST if the name is taken. The same happens
/// if another process took the new file for abandoned, and removed it before it was locked.
file_descriptor create_locked(const std::string& path, mode_t permissions) {
  file_descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions));
  if (!file) return file;
  const bool locked = lock(file);
  struct stat status {};
  // A file system without locks gives no process a lock, so no process takes the file for abandoned.
  const bool free = locked || errno != EWOULDBLOCK;
  if (::fstat(file.get(), &status) != 0) return removed(path, errno);
  errno = 0;
  if (free && is_at(path, status)) return file;
  if (free && errno != 0 && errno != ENOENT) return removed(path, errno);
  errno = EEXIST;
  return {};
}

}  // namespace

unfinished_file::~unfinished_file() {
  if (!released_ && !path_.empty()) ::unlink(path_.c_str());
}

unfinished_file create_unfinished(const std::string& target, mode_t permissions) {
  const std::size_t name = target.rfind('/') + 1;  // 0 if there is no slash
  const std::string directory = target.substr(0, name);
  std::string path = directory + hidden_name(hash_long(byte_view("result: " + target.substr(name))));
  remove_abandoned(path);
  constexpr int most_attempts = 100;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (file_descriptor file = create_locked(path, permissions)) return {std::move(file), std::move(path)};
    if (errno != EEXIST && errno != EINTR) break;
    path = directory + hidden_name(random_number());
  }
  return {};
}

}  // namespace duomap
