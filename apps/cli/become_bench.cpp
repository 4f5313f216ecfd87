#include "apps/cli/become_bench.hpp"

#include "core/error.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

namespace duomap::apps {

void become_bench(const char* const* argv) {
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  std::string places;
  for (const std::filesystem::path& place :
       {here / "duomap-bench", (here / "../libexec/duomap/duomap-bench").lexically_normal()}) {
    // execv returns only when it fails, and takes arguments that it does not change.
    ::execv(place.c_str(), const_cast<char* const*>(argv));
    if (errno != ENOENT)
      throw error(exit_status::failed, "cannot start '" + place.string() + "': " + std::strerror(errno));
    places += (places.empty() ? "'" : " and '") + place.string() + "'";
  }
  throw error(exit_status::failed, "the benchmarks are a program of their own, which is neither at " +
                                       places +
                                       "; './dev bench' builds it, the package duomap-bench installs it");
}

}  // namespace duomap::apps
