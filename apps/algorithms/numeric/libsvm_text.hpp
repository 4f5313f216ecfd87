// LIBSVM's text format in memory becomes sparse or dense rows, with all workers.
// host only
#pragma once

#include "apps/algorithms/numeric/labelled_table.hpp"
#include "apps/algorithms/numeric/sparse_table.hpp"
#include "apps/algorithms/numeric/table_options.hpp"
#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <string>

namespace duomap {

/// Reads a text in memory; `name` is how messages call it. See read_sparse_table().
template <class T>
[[nodiscard]] sparse_table<T> parse_libsvm(byte_view text, const std::string& name,
                                           const table_options& options, worker_pool& pool);

/// What stands in each row before its features.
struct row_head {
  std::uint64_t numbers = 1;
  const char* name = "label";  ///< of one of them, for messages
  /// How messages end; null: as table_options::advice says.
  const char* advice = nullptr;
};

/// The same of a part of a text that begins and ends between lines; it may have no row. A row has
/// head.numbers labels, one behind the other. `lines` is how many lines of the text come before the part, and
/// then how many come before what follows it.
template <class T>
[[nodiscard]] sparse_table<T> parse_libsvm_part(byte_view part, const std::string& name,
                                                const table_options& options, const row_head& head,
                                                std::uint64_t& lines, worker_pool& pool);

/// The same rows with their zeros.
template <class T>
[[nodiscard]] labelled_table<T> dense_table(const sparse_table<T>& sparse, const std::string& name);

}  // namespace duomap
