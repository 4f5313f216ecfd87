// A part of someone's file in a message.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap {

/// A text in quotes, at most 40 bytes of it, and \xNN for what is not printable ASCII.
[[nodiscard]] std::string shown(byte_view text);

}  // namespace duomap
