// Exports columns as an Apache Arrow stream through its C interface, which pandas, Polars, pyarrow and DuckDB
// read.
#pragma once

#include "column_set.hpp"

#include <nanobind/nanobind.h>

namespace duomap::python {

/// A capsule "arrow_array_stream" with one batch, which shares the memory of the columns. A column of texts
/// has the type UTF-8 if all its texts are UTF-8, and else the type binary.
/// (https://arrow.apache.org/docs/format/CStreamInterface.html)
[[nodiscard]] nanobind::capsule arrow_stream(shared_columns of);

}  // namespace duomap::python
