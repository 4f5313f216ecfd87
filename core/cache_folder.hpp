// The folder in which a user's programs keep files that they can make again.
// host only
#pragma once

#include <functional>
#include <string>

namespace duomap {

/// duomap's cache folder: $XDG_CACHE_HOME/duomap, or $HOME/.cache/duomap, whichever is an absolute path;
/// empty when neither is. `get` is std::getenv, or a test's replacement of it.
[[nodiscard]] std::string cache_folder(const std::function<const char*(const char*)>& get);

}  // namespace duomap
