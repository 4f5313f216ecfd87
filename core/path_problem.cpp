#include "core/path_problem.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <system_error>

namespace duomap {

namespace {

/// Where a symbolic link points; empty when `path` is none.
std::string link_target(const std::string& path) {
  std::array<char, PATH_MAX> target;
  const ssize_t length = ::readlink(path.c_str(), target.data(), target.size());
  return length < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(length));
}

std::string advice(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
      if (const std::string target = link_target(path); !target.empty()) {
        return "it is a symbolic link to " + quoted(target) + ": repair or remove the link";
      }
      return path.empty() ? "the path is empty" : "check the path";
    case EACCES:
      return "make it (and the directories above it) readable, or run as a user who may read it";
    case ELOOP:
      return "repair or remove the symbolic links that point at each other";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    default:
      return "check the path and the file system it is on";
  }
}

}  // namespace

std::string quoted(const std::string& path) { return "'" + path + "'"; }

std::string error_text(int error) { return std::generic_category().message(error); }

std::string path_problem(const std::string& path, int error) {
  return "cannot read " + quoted(path) + ": " + error_text(error) + "; " + advice(path, error);
}

}  // namespace duomap
