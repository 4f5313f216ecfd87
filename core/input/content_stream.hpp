// The content of a stored file: decompressed, and as UTF-8 without a byte order mark.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/compression.hpp"
#include "core/input/input_content.hpp"
#include "core/input/source.hpp"
#include "core/input/text_encoding.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace duomap {

/// First bytes of a file that are enough to tell what it is: an archive of tar says so at byte 257.
inline constexpr std::uint64_t recognition_bytes = 263;

/// What a stored file is.
struct recognised_content {
  compression kind = compression::none;
  byte_order_mark mark;  ///< of what is not compressed
};

/// Tells it by the file's path and first bytes. `name` is for messages.
/// @throws input_error when it is not compressed the way its path says, or is compressed or packed in a way
/// that is not read here, or is UTF-16 without a mark
[[nodiscard]] recognised_content recognise(input_content content, std::string_view path, byte_view first,
                                           const std::string& name);

/// What a stored file holds.
struct opened_content {
  std::unique_ptr<byte_stream> stream;
  bool marked = false;  ///< as source::marked()
};

/// The content of the file `stored` with this path, whose first bytes are looked at when this is called.
/// @throws input_error as recognise() does
[[nodiscard]] opened_content content_stream(std::unique_ptr<byte_stream> stored, input_content content,
                                            std::string_view path, const std::string& name);

}  // namespace duomap
