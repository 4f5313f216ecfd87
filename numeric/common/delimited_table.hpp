// Reads delimited text into a table, with all workers.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"
#include "numeric/common/labelled_table.hpp"
#include "numeric/common/table_options.hpp"

#include <string>

namespace duomap {

/// Reads a table from a text in memory; `name`: the text's name in messages. See read_table().
template <class T>
[[nodiscard]] labelled_table<T> read_delimited(byte_view text, const std::string& name,
                                               const table_options& options, worker_pool& pool);

}  // namespace duomap
