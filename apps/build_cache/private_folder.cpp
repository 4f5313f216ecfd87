// Opens, reads, writes and empties folders that belong to this user alone.
#include "apps/build_cache/private_folder.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace duomap::apps {

namespace {

constexpr mode_t nobody_else = 0700;
constexpr mode_t of_others = 0077;

file_descriptor opened_at(int folder, const std::string& name, int flags, mode_t mode = 0) {
  int file = -1;
  do {
    file = ::openat(folder, name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, mode);
  } while (file < 0 && errno == EINTR);
  return file_descriptor(file);
}

void require_own(const file_descriptor& folder, const std::string& path) {
  struct stat found {};
  if (::fstat(folder.get(), &found) != 0) throw output_error(path_problem(path, errno));
  const std::string name = "the folder of compiled tasks " + quoted(path);
  if (found.st_uid != ::geteuid())
    throw usage_error(name + " belongs to another user, and what is in it would be run: set XDG_CACHE_HOME " +
                      "to a folder of your own");
  if ((found.st_mode & of_others) != 0)
    throw usage_error(name + " is open to other users, and what is in it would be run: if nobody else has " +
                      "written there, type chmod 700 " + path + "; else remove it");
}

}  // namespace

file_descriptor open_private_folder(const std::string& path) {
  file_descriptor folder = opened_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
  if (folder) {
    require_own(folder, path);
    return folder;
  }
  const int problem = errno;
  struct stat found {};
  const bool there = ::lstat(path.c_str(), &found) == 0;
  if (there && !S_ISDIR(found.st_mode))
    throw usage_error("the folder of compiled tasks " + quoted(path) + " is no folder: remove it");
  if (problem != ENOENT && problem != ENOTDIR) throw output_error(path_problem(path, problem));
  return folder;
}

file_descriptor make_private_folder(const std::string& path) {
  std::error_code problem;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
  const bool made = !problem && (::mkdir(path.c_str(), nobody_else) == 0 || errno == EEXIST);
  const int error_number = problem ? problem.value() : errno;
  file_descriptor folder = made ? open_private_folder(path) : file_descriptor();
  if (folder) return folder;
  throw output_error("cannot make the folder of compiled tasks " + quoted(path) + ": " +
                     error_text(made ? ENOENT : error_number) +
                     "; set XDG_CACHE_HOME to a folder that you may write to");
}

file_descriptor open_folder_at(int folder, const std::string& name) {
  return opened_at(folder, name, O_RDONLY | O_DIRECTORY);
}

file_descriptor open_own_file_at(int folder, const std::string& name) {
  file_descriptor file = opened_at(folder, name, O_RDONLY | O_NONBLOCK);  // a pipe would block
  struct stat found {};
  const bool own =
      file && ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == ::geteuid();
  return own ? std::move(file) : file_descriptor();
}

std::optional<std::string> whole_text(const file_descriptor& file) {
  std::string text;
  std::array<char, 1 << 16> part;
  for (;;) {
    const ssize_t count = ::read(file.get(), part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

std::optional<std::string> own_text_at(int folder, const std::string& name) {
  const file_descriptor file = open_own_file_at(folder, name);
  return file ? whole_text(file) : std::nullopt;
}

void write_text_at(int folder, const std::string& name, const std::string& text) {
  const file_descriptor file = opened_at(folder, name, O_WRONLY | O_CREAT | O_EXCL, nobody_else);
  bool good = static_cast<bool>(file);
  for (std::size_t done = 0; good && done < text.size();) {
    const ssize_t count = ::write(file.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    good = count > 0;
    if (good) done += static_cast<std::size_t>(count);
  }
  if (!good || ::fsync(file.get()) != 0)
    throw output_error("cannot write " + quoted(name) + " in the folder of compiled tasks: " +
                       error_text(errno) + "; set XDG_CACHE_HOME to a folder that has room");
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  // A second descriptor, because the listing moves its position and closedir() closes it.
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::fdopendir(again), &::closedir);
  while (const dirent* const one = list == nullptr ? nullptr : ::readdir(list.get())) {
    const std::string name = one->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

void remove_at(int folder, const std::string& name) {
  if (::unlinkat(folder, name.c_str(), 0) == 0 || (errno != EISDIR && errno != EPERM)) return;
  if (const file_descriptor inner = open_folder_at(folder, name)) {
    for (const std::string& one : names_in(inner.get())) remove_at(inner.get(), one);
  }
  ::unlinkat(folder, name.c_str(), AT_REMOVEDIR);
}

}  // namespace duomap::apps
