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

/// The number of first bytes that tell a file's format: a tar archive has its mark at byte 257.
inline constexpr std::uint64_t recognition_bytes = 263;

/// The compression and the encoding of a stored file.
struct recognised_content {
  compression kind = compression::none;
  byte_order_mark mark;  ///< the mark of a file that is not compressed
};

/// Recognises a file by its path and first bytes. `name` is for messages.
/// @throws input_error when its compression is not the one that its path promises, when duomap does not read
/// its format, or when it is UTF-16 without a mark
[[nodiscard]] recognised_content recognise(input_content content, std::string_view path, byte_view first,
                                           const std::string& name);

struct opened_content {
  std::unique_ptr<byte_stream> stream;
  bool marked = false;  ///< as source::marked()
};

/// Reads the first bytes of the stored file, and opens its content.
/// @throws input_error as recognise() does
[[nodiscard]] opened_content content_stream(std::unique_ptr<byte_stream> stored, input_content content,
                                            std::string_view path, const std::string& name);

}  // namespace duomap
