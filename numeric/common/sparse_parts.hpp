// Reads LIBSVM text part by part, so that it may be larger than the memory.
// host only
#pragma once

#include "core/input/block.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/source.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/sparse_table.hpp"
#include "numeric/common/table_options.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// The rows of a file ("-": standard input) in order, in the format of read_sparse_table(). A part has as
/// many columns as its largest index, or `features` if that is more. T is float or double. Only one thread
/// may use it at a time.
template <class T>
class sparse_parts {
 public:
  /// `part_bytes`: bytes of text in a part, whose numbers take up to twice as much memory. Lines are never
  /// cut.
  /// @throws as whole_input
  explicit sparse_parts(const std::string& path, const table_options& options = {},
                        std::uint64_t part_bytes = std::uint64_t{16} << 20);

  /// Reads the next part, which has at least one row. Returns false when no part is left. A file without any
  /// row is an error.
  /// @throws as read_sparse_table()
  [[nodiscard]] bool next(sparse_table<T>& into);

  /// A sentence when the file grew during reading; else empty.
  [[nodiscard]] const std::string& growth() const noexcept { return growth_; }

  /// Bytes of text read so far, after decompression.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  [[nodiscard]] byte_view next_text();

  table_options options_;
  std::uint64_t part_bytes_;
  std::unique_ptr<source> source_;
  std::string name_;
  std::unique_ptr<block_reader> reader_;  ///< if the file is not mapped
  block block_;
  std::unique_ptr<worker_pool> pool_;
  std::uint64_t bytes_ = 0;
  std::uint64_t lines_ = 0;
  bool any_ = false;  ///< whether any row has been found
  std::string growth_;
};

}  // namespace duomap
