// Delimited text becomes a table, with all workers.
// host only
#pragma once

#include "apps/algorithms/numeric/labelled_table.hpp"
#include "apps/algorithms/numeric/table_options.hpp"
#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"

#include <string>

namespace duomap {

/// Reads a table out of a text in memory; `name` is how messages call it. See read_table().
template <class T>
[[nodiscard]] labelled_table<T> read_delimited(byte_view text, const std::string& name,
                                               const table_options& options, worker_pool& pool);

}  // namespace duomap
