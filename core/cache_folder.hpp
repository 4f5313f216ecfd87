// The folder in which a user's programs keep files that they can make again.
// host only
#pragma once

#include <functional>
#include <string>

namespace duomap {

/// duomap's cache folder: $XDG_CACHE_HOME/duomap if that is an absolute path, else $HOME/.cache/duomap if
/// that is one, else empty. `get` is std::getenv, or a test's replacement of std::getenv.
[[nodiscard]] std::string cache_folder(const std::function<const char*(const char*)>& get);

}  // namespace duomap
