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

/// First bytes of a file that are enough to tell its format: a tar archive has its mark at byte 257.
inline constexpr std::uint64_t recognition_bytes = 263;

/// The compression and the encoding of a stored file.
struct recognised_content {
  compression kind = compression::none;
  byte_order_mark mark;  ///< of a file that is not compressed
};

/// Recognises a file by its path and first bytes. `name` is for messages.
/// @throws input_error when it is not compressed the way its path says, or is compressed or packed in a way
/// that is not read here, or is UTF-16 without a mark
[[nodiscard]] recognised_content recognise(input_content content, std::string_view path, byte_view first,
                                           const std::string& name);

/// The content of a stored file.
struct opened_content {
  std::unique_ptr<byte_stream> stream;
  bool marked = false;  ///< as source::marked()
};

/// Opens the content of the file `stored` with this path, and reads its first bytes at once.
/// @throws input_error as recognise() does
[[nodiscard]] opened_content content_stream(std::unique_ptr<byte_stream> stored, input_content content,
                                            std::string_view path, const std::string& name);

}  // namespace duomap
