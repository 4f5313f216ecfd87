// Columns as a stream of Apache Arrow, by its C interface: pandas, Polars, pyarrow and DuckDB read it.
#pragma once

#include "column_set.hpp"

#include <nanobind/nanobind.h>

namespace duomap::python {

/// A capsule "arrow_array_stream" with one batch, which shares the memory of the columns. A column of texts
/// is UTF-8 where all its texts are, else binary.
/// (https://arrow.apache.org/docs/format/CStreamInterface.html)
[[nodiscard]] nanobind::capsule arrow_stream(shared_columns of);

}  // namespace duomap::python
