// Recognises how a file is compressed, by its name or by its first bytes.
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
#if !defined(DUOMAP_HAS_ISAL)
#define DUOMAP_HAS_ISAL 1
#endif
#if !defined(DUOMAP_HAS_ZSTD)
#define DUOMAP_HAS_ZSTD 1
#endif
#if !defined(DUOMAP_HAS_LZMA)
#define DUOMAP_HAS_LZMA 1
#endif
#if !defined(DUOMAP_HAS_LZ4)
#define DUOMAP_HAS_LZ4 1
#endif

namespace duomap {

enum class compression { none, gzip, zstd, xz, lz4 };

/// The number of a file's first bytes that tell its kind of compression.
inline constexpr std::uint64_t magic_bytes = 6;

/// "gzip" and so on.
[[nodiscard]] std::string_view name_of(compression kind) noexcept;

/// The compression that a name promises by .gz, .zst, .xz or .lz4 at its end, in capitals or not.
[[nodiscard]] compression promised_by(std::string_view path) noexcept;

/// A name without the ending that promises a compression.
[[nodiscard]] std::string_view without_ending(std::string_view path) noexcept;

/// The compression of a file that begins with `first`.
[[nodiscard]] compression recognised_in(byte_view first) noexcept;

/// The number of first bytes that tell zstd from lz4 where a file begins with frames that both skip; 0 where
/// `first` has them, and where the file begins with something else.
[[nodiscard]] std::uint64_t bytes_behind_skipped(byte_view first) noexcept;

/// Whether a file that begins with `first` may be of this kind; also true for a file that ends too early to
/// tell.
[[nodiscard]] bool may_be(compression kind, byte_view first) noexcept;

/// Throws input_error when a file called `name` (for messages) that begins with `first` is not of this kind,
/// or is empty, or when this build does not read that kind.
void require_compressed(compression kind, byte_view first, const std::string& name);

/// Throws input_error when a file that begins with `first` is compressed or packed in a way that is not read
/// here: bzip2, ZIP, tar and others.
void refuse_unread(byte_view first, const std::string& name);

/// The format of a packed file, and the remedy.
struct packed_kind {
  std::string name;  ///< "compressed by gzip"; empty if it is not known
  std::string cure;
};

/// The format of a file that begins with `first`, if it is compressed or packed and binary numbers hardly
/// begin with these bytes.
[[nodiscard]] packed_kind surely_packed(byte_view first);

/// Does refuse_unread() for decompressed bytes, which may not be compressed once more either.
void refuse_packed(byte_view first, const std::string& name);

/// The library that this build lacks for a kind: "no zlib, so .gz files cannot be read: install zlib1g-dev
/// and build again"; empty when it reads that kind.
[[nodiscard]] std::string lacking_library(compression kind);

/// The message of a build that was made without the library for this kind.
[[nodiscard]] std::string unsupported_problem(compression kind, const std::string& name);

/// The content of `stored`, which is `stored` itself when it is not compressed. `name` is for messages.
[[nodiscard]] std::unique_ptr<byte_stream> decompressed(std::unique_ptr<byte_stream> stored, compression kind,
                                                        std::string name);

}  // namespace duomap
