// The input of a run: its sources, in order.
#pragma once

#include "core/byte_view.hpp"
#include "core/input/input_content.hpp"
#include "core/input/source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

/// An ordered list of sources. Owns them; chunks of a run point into it.
class input {
 public:
  input() = default;
  explicit input(std::vector<std::unique_ptr<source>> sources) : sources_(std::move(sources)) {}

  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  [[nodiscard]] const source& operator[](std::size_t i) const { return *sources_[i]; }

  /// Sum of the stored sizes that are known, in bytes.
  [[nodiscard]] std::uint64_t stored_bytes() const;

  /// Moves the sources out, to make another input of them.
  [[nodiscard]] std::vector<std::unique_ptr<source>> release() && { return std::move(sources_); }

 private:
  std::vector<std::unique_ptr<source>> sources_;
};

/// Whether the input is small: at most 16,384 indices, and less than `map_threshold` bytes
/// (core/input/mapped_file.hpp), none of them compressed. With a cheap map, one core maps a small input
/// before other cores wake up.
[[nodiscard]] bool is_small(const input& from);

/// Opens files, directories and standard input ("-").
///
/// A directory stands for the regular files in it and in its subdirectories, in byte order of their paths.
/// Names below it that begin with a dot are left out. Links to files are followed, links to directories are
/// not. `content` decides how a file is read. As text, compressed files (gzip, zstd, xz, lz4) are
/// decompressed, and a name that ends with .gz, .zst, .xz or .lz4 promises a compressed file. Open binary
/// records, such as the rows of rows<T>, as input_content::records. Files of at least `map_threshold` bytes
/// (core/input/mapped_file.hpp) are memory-mapped. Smaller files, and files that cannot be mapped, are opened
/// when they are read, so there may be any number of them. A path may be given twice, unless it is a pipe.
///
/// All paths are looked at before a problem with any of them is reported.
/// @throws input_error naming the first path that is missing, unreadable, not a file, a directory without
/// files, not compressed the way its name promises, or of a format that duomap does not read, and the number
/// of such paths behind it; usage_error when "-" is given twice.
[[nodiscard]] input open_input(const std::vector<std::string>& paths,
                               input_content content = input_content::text);

/// An input over its own copy of a text.
[[nodiscard]] input text_input(std::string text, std::string name = "text");

/// An input over bytes that the caller keeps alive and unchanged. Copies nothing. The caller also promises
/// `read_padding` readable bytes behind the end. Rows of fixed size need no such bytes.
[[nodiscard]] input view_input(byte_view bytes, std::string name = "memory");

/// An input of the indices 0 .. count - 1. It has no bytes.
[[nodiscard]] input index_input(std::uint64_t count);

/// A sentence about the sources that end inside a row of `row_bytes` bytes; empty if all sources end with a
/// whole row. Call it after the run, when the sizes of streams are known.
[[nodiscard]] std::string cut_rows_text(const input& from, std::uint64_t header_bytes,
                                        std::uint64_t row_bytes);

/// An input of the first `units` units of `whole`, without its streams. For measurements. May cut the last
/// record.
[[nodiscard]] input first_units(input whole, std::uint64_t units);

}  // namespace duomap
