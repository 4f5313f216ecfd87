#include "apps/bench/harness/measured_program.hpp"

#include "core/error.hpp"

#include <unistd.h>

#include <filesystem>

namespace duomap::apps {
namespace {

std::string find_measured_program() {
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  for (const std::filesystem::path& place :
       {here / "duomap", (here / "../../bin/duomap").lexically_normal()}) {
    if (::access(place.c_str(), X_OK) == 0) return place.string();
  }
  throw error(exit_status::failed, "there is no program 'duomap' to be timed in '" + here.string() +
                                       "', nor in '../../bin' from there; './dev build' builds it");
}

}  // namespace

const std::string& measured_program() {
  static const std::string path = find_measured_program();
  return path;
}

}  // namespace duomap::apps
