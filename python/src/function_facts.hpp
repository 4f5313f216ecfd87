// Declares the facts about a Python function that its task uses: address, format, reduction and keys.
#pragma once

#include "emit_batch.hpp"
#include "function_format.hpp"
#include "function_reduction.hpp"

#include <cstdint>
#include <limits>
#include <string_view>

namespace duomap::python {

/// The valid keys for a task's key type. -2^63 is no valid key of i8, because Numba's int() gives it for NaN
/// and 1e300.
struct key_range {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] static key_range of(std::string_view type) {
    key_range range;
    if (type == "i8") range.least += 1;
    if (type == "i4")
      range = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    if (type == "u4") range = {0, std::numeric_limits<std::uint32_t>::max()};
    return range;
  }
  [[nodiscard]] bool has(std::uint64_t key) const noexcept {
    const auto number = static_cast<std::int64_t>(key);
    return number >= least && number <= most;
  }
};

struct function_facts {
  compiled_function function = nullptr;
  const char* name = nullptr;  ///< the function's name, which the caller keeps alive
  function_format format;
  function_operation operation = function_operation::sum;
  std::uint64_t key_count = 0;  ///< number of dense keys
  key_range range;              ///< valid keys, if keys are numbers
};

}  // namespace duomap::python
