// Reads LIBSVM's text format from memory into sparse or dense rows, with all workers.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/labelled_table.hpp"
#include "numeric/common/sparse_table.hpp"
#include "numeric/common/table_options.hpp"

#include <cstdint>
#include <string>

namespace duomap {

/// Reads a text in memory; `name`: the text's name in messages. See read_sparse_table().
template <class T>
[[nodiscard]] sparse_table<T> parse_libsvm(byte_view text, const std::string& name,
                                           const table_options& options, worker_pool& pool);

/// The numbers in each row before its features.
struct row_head {
  std::uint64_t numbers = 1;
  const char* name = "label";  ///< name of each of these numbers, for messages
  /// The end of messages; null: table_options::advice decides.
  const char* advice = nullptr;
};

/// Reads a part of a text. The part consists of whole lines, and may have no row. A row has head.numbers
/// labels in sequence. `lines`: the number of lines before the part, to which the function adds the part's
/// lines.
template <class T>
[[nodiscard]] sparse_table<T> parse_libsvm_part(byte_view part, const std::string& name,
                                                const table_options& options, const row_head& head,
                                                std::uint64_t& lines, worker_pool& pool);

/// Reads a text in memory into dense rows, which also have the zeros.
template <class T>
[[nodiscard]] labelled_table<T> dense_table(const sparse_table<T>& sparse, const std::string& name);

}  // namespace duomap
