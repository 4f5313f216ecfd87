// Looks for nvcc in the places where a CUDA Toolkit may be installed.
#include "apps/commands/own_task/cuda_folder.hpp"

#include "core/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

namespace duomap::apps {

std::string find_cuda(const std::string& built_with) {
  namespace fs = std::filesystem;
  constexpr const char* usual = "/usr/local/cuda";
  std::vector<fs::path> candidates{built_with};
  if (const char* const path = std::getenv("PATH")) {
    std::istringstream folders(path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      std::error_code none;
      const fs::path nvcc = fs::canonical(fs::path(folder) / "nvcc", none);
      if (!none) candidates.push_back(nvcc.parent_path().parent_path());
    }
  }
  candidates.emplace_back(usual);
  for (const fs::path& one : candidates) {
    std::error_code none;
    if (!one.empty() && fs::exists(one / "bin" / "nvcc", none)) return one.string();
  }
  throw error(
      exit_status::failed,
      "compiling a task needs the CUDA Toolkit, because this duomap has GPU code: there is no nvcc in " +
          built_with + "/bin, on PATH or in " + usual +
          "/bin; install the toolkit, or take the packages duomap and libduomap-dev, which need none");
}

}  // namespace duomap::apps
