// Looks for programs and files of duomap, and replaces this process by a program.
#include "apps/cli/other_program.hpp"

#include "apps/cli/signals.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace duomap::apps {

std::string installed_file(const std::string& name, const std::string& installed, const std::string& advice) {
  const auto refuse = [&](const std::filesystem::path& place, const std::error_code& problem) {
    throw error(exit_status::failed,
                "cannot look for '" + name + "': " + path_problem(place.string(), problem.value()));
  };
  std::error_code problem;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", problem).parent_path();
  if (problem) refuse("/proc/self/exe", problem);  // an empty path would be the current folder
  const std::filesystem::path beside = here / name, away = (here / installed / name).lexically_normal();
  for (const std::filesystem::path& place : {beside, away}) {
    if (std::filesystem::exists(place, problem)) return place.string();
    if (problem) refuse(place, problem);
  }
  throw error(exit_status::failed, "there is no '" + name + "', neither at '" + beside.string() +
                                       "' nor at '" + away.string() + "'; " + advice);
}

void become_program(const std::string& path, const char* const* argv) {
  restore_ignored_signals();
  // execv() returns only when it fails, and does not change its arguments.
  ::execv(path.c_str(), const_cast<char* const*>(argv));
  throw error(exit_status::failed, "cannot start '" + path + "': " + std::strerror(errno));
}

void become_program(const file_descriptor& program, const std::string& name, const char* const* argv) {
  restore_ignored_signals();
  ::fexecve(program.get(), const_cast<char* const*>(argv), environ);
  throw error(exit_status::failed, "cannot start the program of " + quoted(name) + ": " + error_text(errno) +
                                       "; set XDG_CACHE_HOME to a folder whose programs may run");
}

}  // namespace duomap::apps
