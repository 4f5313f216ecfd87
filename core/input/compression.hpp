// Recognises how a file is compressed, by its name or by its first bytes.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// The build sets a macro to 0 if the library is missing.
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

/// The name of a kind of compression, such as "gzip".
[[nodiscard]] std::string_view name_of(compression kind) noexcept;

/// The compression that a name promises by its ending .gz, .zst, .xz or .lz4, in small or capital letters.
[[nodiscard]] compression promised_by(std::string_view path) noexcept;

/// A name without the ending that promises a compression.
[[nodiscard]] std::string_view without_ending(std::string_view path) noexcept;

/// The compression of a file that begins with `first`.
[[nodiscard]] compression recognised_in(byte_view first) noexcept;

/// The first bytes may be skippable frames, which zstd and lz4 share. Then the next frame tells one from the
/// other: returns the number of first bytes that this takes. Returns 0 if `first` suffices.
[[nodiscard]] std::uint64_t bytes_behind_skipped(byte_view first) noexcept;

/// Whether a file that begins with `first` may have this kind of compression. Also true if the file ends
/// before the bytes that would tell.
[[nodiscard]] bool may_be(compression kind, byte_view first) noexcept;

/// Throws input_error if a file that begins with `first` is empty, has another kind of compression, or has a
/// kind that this build does not read. `name` is the file's name in the message.
void require_compressed(compression kind, byte_view first, const std::string& name);

/// Throws input_error if a file that begins with `first` is compressed or packed in a way that duomap does
/// not read: bzip2, ZIP, tar and others.
void refuse_unsupported(byte_view first, const std::string& name);

/// The format of a packed file, and the remedy.
struct packed_kind {
  std::string name;  ///< "compressed by gzip"; empty if it is not known
  std::string cure;
};

/// The format of a file that begins with `first`, if it is compressed or packed. Formats whose mark may also
/// begin binary numbers are left out.
[[nodiscard]] packed_kind surely_packed(byte_view first);

/// Does refuse_unsupported() for decompressed bytes. Also refuses bytes that were compressed twice.
void refuse_packed(byte_view first, const std::string& name);

/// Names the library that this build lacks for a kind: "no zlib, so .gz files cannot be read: install
/// zlib1g-dev and build again". Empty if the build reads this kind.
[[nodiscard]] std::string lacking_library(compression kind);

/// The message of a build without the library for this kind.
[[nodiscard]] std::string unsupported_problem(compression kind, const std::string& name);

/// The decompressed content of `stored`; `stored` itself if `kind` is none. `name` is for messages.
[[nodiscard]] std::unique_ptr<byte_stream> decompressed(std::unique_ptr<byte_stream> stored, compression kind,
                                                        std::string name);

}  // namespace duomap
