#include "apps/cli/other_program.hpp"

#include "core/error.hpp"

#include <filesystem>
#include <system_error>

namespace duomap::apps {

std::string other_program(const std::string& name, const std::string& installed, const std::string& advice) {
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  const std::filesystem::path beside = here / name, away = (here / installed / name).lexically_normal();
  for (const std::filesystem::path& place : {beside, away}) {
    if (std::filesystem::exists(place, unknown)) return place.string();
  }
  throw error(exit_status::failed, "there is no program '" + name + "', neither at '" + beside.string() +
                                       "' nor at '" + away.string() + "'; " + advice);
}

}  // namespace duomap::apps
