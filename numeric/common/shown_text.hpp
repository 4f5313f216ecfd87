// Writes a part of a user's file for a message.
// host only
#pragma once

#include "core/byte_view.hpp"

#include <string>

namespace duomap {

/// The first 40 bytes of a text in quotes, with \xNN for bytes that are not printable ASCII.
[[nodiscard]] std::string shown(byte_view text);

}  // namespace duomap
