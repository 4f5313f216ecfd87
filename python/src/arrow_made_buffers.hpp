// Buffers of an exported column that are not the column's own memory.
#pragma once

#include "columns.hpp"

#include <cstdint>
#include <vector>

namespace duomap::python {

struct made_buffers {
  std::vector<std::uint8_t> valid;  ///< a bit for each row that has a value; empty: all have one
  std::int64_t nulls = 0;
  bool replaces_values = false;  ///< Arrow stores values of this meaning in another width
  std::vector<std::uint8_t> values;
};

[[nodiscard]] made_buffers make_buffers(const column& from);

}  // namespace duomap::python
