// Reads the environment variables that place the cache folder.
#include "core/cache_folder.hpp"

#include <filesystem>

namespace duomap {

std::string cache_folder(const std::function<const char*(const char*)>& get) {
  const auto folder = [&](const char* name) {
    const char* const text = get(name);
    return std::filesystem::path(text == nullptr ? "" : text);
  };
  // The XDG base directory specification tells programs to ignore relative paths.
  if (const auto cache = folder("XDG_CACHE_HOME"); cache.is_absolute()) return (cache / "duomap").string();
  if (const auto home = folder("HOME"); home.is_absolute()) return (home / ".cache" / "duomap").string();
  return {};
}

}  // namespace duomap
