// Opens the target of a result, and renames the file when it is finished.
#include "core/output/result_file.hpp"

#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/output/pending_file.hpp"
#include "core/output/unfinished_file.hpp"
#include "core/path_problem.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <optional>
#include <utility>

namespace duomap {

namespace {

constexpr mode_t permission_bits = 0777;      // a result is never set-uid
constexpr mode_t default_permissions = 0666;  // open() subtracts the umask
constexpr mode_t owner_permissions = 0600;    // until the new file gets those of the old one

[[noreturn]] void refuse(const std::string& path, const std::string& reason, const char* advice) {
  throw output_error("cannot write to " + quoted(path) + ": " + reason + "; " + advice);
}

[[noreturn]] void refuse(const std::string& path, int error_number, const char* advice) {
  refuse(path, error_text(error_number), advice);
}

constexpr const char* check_path = "check the path and its permissions, or choose another file";

// The status of a file; nothing if there is none. Throws on other errors, because a file may be there.
std::optional<struct stat> status_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status;
  if (errno != ENOENT) refuse(path, errno, check_path);
  return std::nullopt;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// The part of a path up to its last '/', with that '/'; empty if there is none.
std::string directory_part(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

// Follows symbolic links to the path that rename() must replace. `exists`: the links lead to a file.
std::string resolve_links(std::string path, bool exists) {
  constexpr int most_links = 40;  // the kernel's own limit
  const std::string given = path;
  for (int links = 0; links <= most_links; ++links) {
    std::string target(PATH_MAX, '\0');
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
    if (size < 0) {
      const bool no_link = errno == EINVAL || (errno == ENOENT && !exists);
      if (!no_link) refuse(given, errno, check_path);
      return path;
    }
    target.resize(static_cast<std::size_t>(size));
    path = target.starts_with('/') ? target : directory_part(path) + target;
  }
  refuse(given, ELOOP, "give the file itself");
}

// An opened target, to which the result is written.
struct opened_target {
  file_descriptor file;
  std::string name;                       // for messages
  std::string final_path;                 // the new path of the temporary file
  std::unique_ptr<pending_file> pending;  // the temporary file; null: the target is written directly
};

// Calls open() and not mkstemp(), because open() applies the umask and the default access list.
opened_target create_beside(const std::string& target, mode_t permissions) {
  unfinished_file made = create_unfinished(target, permissions);
  if (made.file) {
    opened_target opened{{}, quoted(target), target, std::make_unique<pending_file>(made.path())};
    made.release();
    opened.file = std::move(made.file);
    return opened;
  }
  const int error_number = errno;
  switch (error_number) {
    case ENOENT:
      refuse(target, "its directory does not exist", "create it first");
    case ENOTDIR:
      refuse(target, error_number, "check the path");
    case EACCES:
    case EPERM:
    case EROFS:
      refuse(target, "no file can be created in its directory: " + error_text(error_number),
             "choose a directory you may write to");
    default:
      refuse(target, error_number, "choose another place");
  }
}

// Waits until a regular file is on the disk. For another file it only closes a duplicate of the descriptor,
// so that network file systems report failed writes. Returns false, with errno, if the writing failed.
bool settle(int file, bool regular) {
  if (!regular) {
    return ::close(::dup(file)) == 0 || errno == EINTR;  // on Linux an interrupted close() has closed it
  }
  int status = 0;
  do {
    status = ::fsync(file);
  } while (status != 0 && errno == EINTR);
  return status == 0;
}

// Waits until the directory with the file's new name is on the disk. Ignores failures: some file systems
// cannot do this, and the result is complete in any case.
void settle_directory_of(const std::string& path) {
  const std::string directory = directory_part(path);
  const file_descriptor file(
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file) static_cast<void>(settle(file.get(), true));
}

opened_target open_standard_output() {
  // A closed standard output may have been replaced by a file that is open for reading only.
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
    throw output_error(
        "cannot write to standard output: it is closed; open it or name a file for the result");
  }
  file_descriptor file(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  if (!file) {
    refuse("/dev/stdout", errno, "name a file for the result");
  }
  return {std::move(file), "standard output", {}, nullptr};
}

opened_target open_directly(const std::string& path) {
  int number = -1;
  do {
    number = ::open(path.c_str(), O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
  } while (number < 0 && errno == EINTR);
  if (number < 0) {
    refuse(path, errno, "check the target or choose another");
  }
  return {file_descriptor(number), quoted(path), {}, nullptr};
}

// Gives the new file the owner and the permissions of the old one. Only root can keep another owner; for
// other users the file becomes their own.
void adopt_permissions(const file_descriptor& file, const struct stat& old, const std::string& target) {
  [[maybe_unused]] const int refused = ::fchown(file.get(), old.st_uid, old.st_gid);
  if (::fchmod(file.get(), old.st_mode & permission_bits) != 0) {
    refuse(target, "its permissions cannot be kept: " + error_text(errno), "choose another place");
  }
}

opened_target open_target(const std::string& path, int most_attempts = 10) {
  if (path.empty()) {
    throw usage_error("the name of the result file is empty; give a path, or - for standard output");
  }
  if (path == "-") {
    return open_standard_output();
  }
  const std::optional<struct stat> old = status_of(path);
  std::string target = path;
  if (old) {
    if (S_ISDIR(old->st_mode)) {
      refuse(path, "it is a directory", "name a file in it");
    }
    struct stat standard_output {};
    if (::fstat(STDOUT_FILENO, &standard_output) == 0) {
      if (same_file(*old, standard_output)) return open_standard_output();
    } else if (errno != EBADF) {
      refuse(path, "standard output, which it may be, cannot be looked at: " + error_text(errno), check_path);
    }
    if (!S_ISREG(old->st_mode)) {
      return open_directly(path);
    }
    if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
      refuse(path, errno, "change its permissions or choose another file");
    }
    target = resolve_links(path, true);
    // A link in /proc/self/fd may name a file that has been renamed or removed since.
    const std::optional<struct stat> resolved = status_of(target);
    if (!resolved || !same_file(*old, *resolved)) {
      return open_directly(path);
    }
  } else {
    target = resolve_links(path, false);
    struct stat appeared {};
    const bool is_there = ::lstat(target.c_str(), &appeared) == 0;
    // Another process has just created the file.
    if (is_there && most_attempts > 0) return open_target(path, most_attempts - 1);
    if (is_there) refuse(path, "it comes and goes", "choose another file");
    if (errno != ENOENT) refuse(path, errno, check_path);
  }
  opened_target opened = create_beside(target, old ? owner_permissions : default_permissions);
  if (old) {
    adopt_permissions(opened.file, *old, target);
  }
  return opened;
}

}  // namespace

struct result_file::state {
  state(opened_target opened, const run_control* control)
    : target(std::move(opened)),
      sink(target.file.get(), target.name, target.pending ? partial_output::removed : partial_output::stays,
           control) {}

  opened_target target;
  byte_sink sink;
};

result_file::result_file(const std::string& path, const run_control* control)
  : state_(std::make_unique<state>(open_target(path), control)) {}

result_file::~result_file() = default;

byte_sink& result_file::sink() noexcept { return state_->sink; }

bool result_file::atomic() const noexcept { return state_->target.pending != nullptr; }

void result_file::commit() {
  auto& [target, sink] = *state_;
  sink.flush();
  // The bytes go to the disk first: otherwise a crash could leave the new name without its bytes.
  if (!settle(target.file.get(), target.pending != nullptr)) {
    throw output_error(
        "cannot finish " + target.name + ": " + error_text(errno) + " (after " +
        std::to_string(sink.bytes_written()) + " bytes); " +
        (target.pending ? "nothing of the result was kept; " : "the result there is incomplete; ") +
        "check the disk and run again");
  }
  if (target.pending) {
    target.pending->rename_to(target.final_path);
    settle_directory_of(target.final_path);
  }
}

}  // namespace duomap
