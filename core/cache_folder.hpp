// Where a user's programs keep what they can make again.
// host only
#pragma once

#include <functional>
#include <string>

namespace duomap {

/// duomap's folder there: $XDG_CACHE_HOME/duomap, or $HOME/.cache/duomap, whichever is an absolute path;
/// empty when neither is. `get` is std::getenv, or a test's.
[[nodiscard]] std::string cache_folder(const std::function<const char*(const char*)>& get);

}  // namespace duomap
