// How a file is compressed, by its name or by its first bytes.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// The build sets these to 0 when the library is missing.
#if !defined(DUOMAP_HAS_ZLIB)
#define DUOMAP_HAS_ZLIB 1
#endif
#if !defined(DUOMAP_HAS_ZSTD)
#define DUOMAP_HAS_ZSTD 1
#endif

namespace duomap {

enum class compression { none, gzip, zstd };

/// First bytes of a file that are enough to tell how it is compressed.
inline constexpr std::uint64_t magic_bytes = 4;

/// What a name promises: .gz or .zst at its end.
[[nodiscard]] compression promised_by(std::string_view path) noexcept;

/// What a file is that begins with `first`.
[[nodiscard]] compression recognised_in(byte_view first) noexcept;

/// Whether a file that begins with `first` may be of this kind; a file that ends before that can be told,
/// may.
[[nodiscard]] bool may_be(compression kind, byte_view first) noexcept;

/// Throws input_error when a file called `name` (for messages) that begins with `first` is not of this kind,
/// or is empty, or when this build does not read that kind.
void require_compressed(compression kind, byte_view first, const std::string& name);

/// The message of a build that was made without the library for this kind.
[[nodiscard]] std::string unsupported_problem(compression kind, const std::string& name);

/// The content of `stored`, which is `stored` itself when it is not compressed. `name` is for messages.
[[nodiscard]] std::unique_ptr<byte_stream> decompressed(std::unique_ptr<byte_stream> stored, compression kind,
                                                        std::string name);

}  // namespace duomap
