// LIBSVM text that is read some rows at a time, so that it may be larger than the memory.
// host only
#pragma once

#include "apps/algorithms/numeric/sparse_table.hpp"
#include "apps/algorithms/numeric/table_options.hpp"
#include "core/input/block.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/source.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace duomap {

/// The rows of a file ("-": standard input) in order, as read_sparse_table() reads them. A part has as many
/// columns as its largest index, or `features` if that is more. T is float. Used by one thread at a time.
template <class T>
class sparse_parts {
 public:
  /// `part_bytes`: of text at once, of which numbers take up to twice as much; one line is never cut.
  /// @throws as whole_input
  explicit sparse_parts(const std::string& path, const table_options& options = {},
                        std::uint64_t part_bytes = std::uint64_t{16} << 20);

  /// The next part, which has at least one row; false when there is no more, which is an error when there was
  /// none.
  /// @throws as read_sparse_table()
  [[nodiscard]] bool next(sparse_table<T>& into);

  /// A sentence when the file grew while it was read to its end; else empty.
  [[nodiscard]] const std::string& growth() const noexcept { return growth_; }

  /// Bytes of text that have been read, after decompression.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  [[nodiscard]] byte_view next_text();

  table_options options_;
  std::uint64_t part_bytes_;
  std::unique_ptr<source> source_;
  std::string name_;
  std::unique_ptr<block_reader> reader_;  ///< of what is not mapped
  block block_;
  std::unique_ptr<worker_pool> pool_;
  std::uint64_t bytes_ = 0;
  std::uint64_t lines_ = 0;
  bool any_ = false;  ///< a row was found
  std::string growth_;
};

}  // namespace duomap
