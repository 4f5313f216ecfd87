#include "apps/cli/other_program.hpp"

#include "apps/cli/signals.hpp"
#include "core/error.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace duomap::apps {

std::string installed_file(const std::string& name, const std::string& installed, const std::string& advice) {
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  const std::filesystem::path beside = here / name, away = (here / installed / name).lexically_normal();
  for (const std::filesystem::path& place : {beside, away}) {
    if (std::filesystem::exists(place, unknown)) return place.string();
  }
  throw error(exit_status::failed, "there is no '" + name + "', neither at '" + beside.string() +
                                       "' nor at '" + away.string() + "'; " + advice);
}

void become_program(const std::string& path, const char* const* argv) {
  restore_ignored_signals();
  // execv returns only when it fails, and takes arguments that it does not change.
  ::execv(path.c_str(), const_cast<char* const*>(argv));
  throw error(exit_status::failed, "cannot start '" + path + "': " + std::strerror(errno));
}

}  // namespace duomap::apps
