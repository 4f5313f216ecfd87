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

  /// Gives the sources away, to make another input of them.
  [[nodiscard]] std::vector<std::unique_ptr<source>> release() && { return std::move(sources_); }

 private:
  std::vector<std::unique_ptr<source>> sources_;
};

/// Whether the input is small: with a cheap map, one core maps it while others wake up. It has less than
/// `map_threshold` bytes (core/input/mapped_file.hpp) that nothing has compressed, and at most 16,384
/// indices.
[[nodiscard]] bool is_small(const input& from);

/// Opens files, directories and standard input ("-").
///
/// A directory means the regular files in it, recursively, in byte order of their paths; names that start
/// with a dot are left out below it, links to files are followed, links to directories are not. `content`
/// decides how a file is read: as text, compressed files (gzip, zstd, xz, lz4) are decompressed, and a name
/// ending in .gz, .zst, .xz or .lz4 promises a compressed file. Open binary records, such as the rows of
/// rows<T>, as input_content::records. Files of at least `map_threshold` bytes (core/input/mapped_file.hpp)
/// are memory-mapped; smaller files, and files that cannot be mapped, are streamed and opened only then, so
/// that their number does not matter. A path may be given twice, unless it is a pipe.
///
/// All paths are looked at before a problem with any of them is reported.
/// @throws input_error naming the first path that is missing, unreadable, not a file, a directory without
/// files, not compressed the way its name says, or of a format that is not read, and the number of further
/// ones; usage_error when "-" is given twice.
[[nodiscard]] input open_input(const std::vector<std::string>& paths,
                               input_content content = input_content::text);

/// An input over its own copy of a text.
[[nodiscard]] input text_input(std::string text, std::string name = "text");

/// An input over bytes the caller keeps alive and unchanged, without copying. The caller also promises
/// `read_padding` readable bytes after the end, unless the task's record format is fixed-size rows (which
/// reads no byte outside its rows).
[[nodiscard]] input view_input(byte_view bytes, std::string name = "memory");

/// An input of the indices 0 .. count - 1, without bytes.
[[nodiscard]] input index_input(std::uint64_t count);

/// A sentence about the sources that do not end with a whole row of `row_bytes` bytes behind the header;
/// empty when all do. Call it after the run: a stream's size is known once it was read.
[[nodiscard]] std::string cut_rows_text(const input& from, std::uint64_t header_bytes,
                                        std::uint64_t row_bytes);

/// The first `units` units of an input's addressable sources; streams are left out. The last record may be
/// cut. Use it for measurements.
[[nodiscard]] input first_units(input whole, std::uint64_t units);

}  // namespace duomap
