// Turns failed system calls on paths into messages, and escapes paths for printing.
#include "core/path_problem.hpp"

#include "core/text/utf8.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <system_error>

namespace duomap {

namespace {

/// The target of a symbolic link; empty when `path` is no link.
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

std::string escaped_controls(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (const std::uint64_t length = printable_length(text, i); length > 0) {
      shown += text.substr(i, length);
      i += length;
    } else {
      const auto code = static_cast<unsigned char>(text[i++]);
      shown += "\\x";
      shown += digits[code >> 4U];
      shown += digits[code & 0xFU];
    }
  }
  return shown;
}

std::string quoted(const std::string& path) { return "'" + escaped_controls(path) + "'"; }

std::string error_text(int error) { return std::generic_category().message(error); }

std::string path_problem(const std::string& path, int error) {
  return "cannot read " + quoted(path) + ": " + error_text(error) + "; " + advice(path, error);
}

}  // namespace duomap
