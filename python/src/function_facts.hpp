// What a task knows of the function that is its map.
#pragma once

#include "emit_batch.hpp"
#include "function_format.hpp"
#include "function_reduction.hpp"

#include <cstdint>

namespace duomap::python {

struct function_facts {
  compiled_function function = nullptr;
  const char* name = nullptr;  ///< kept by the caller
  function_format format;
  function_operation operation = function_operation::sum;
  std::uint64_t key_count = 0;  ///< of dense keys
};

}  // namespace duomap::python
