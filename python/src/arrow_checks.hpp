// Checks data that another library hands over in Arrow's C structures, before anything reads it.
#pragma once

#include "arrow_abi.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::python {

/// Arrow's structures do not say how large most buffers are. So duomap reads no more of a buffer than the
/// layout of its type promises, and nothing of null rows, whose contents may be anything. It checks offsets
/// and views against each other and against the sizes that are given. It cannot detect a length that is
/// larger than its buffers.
/// @throws input_error always, which says that the data is malformed
[[noreturn]] void throw_malformed(const std::string& why);

/// Checks that the schema and all its descendants have a format, and that their lists of children are
/// complete.
/// @throws input_error
void check_schema(const ArrowSchema& schema);

/// The numbers of buffers and children of a format. Views of texts may have more buffers.
struct arrow_layout {
  std::int64_t buffers = 0;
  std::int64_t children = 0;
};

/// Checks that an array fits `format`, whose layout is `layout`: its numbers make sense, and its lists of
/// buffers and children exist.
/// @throws input_error
void check_array(const ArrowArray& of, const arrow_layout& layout, std::string_view format);

/// Checks that an array has the rows [from, from + count). `from` counts from the beginning of its buffers.
/// @throws input_error
void check_rows(const ArrowArray& of, std::int64_t from, std::int64_t count);

/// a * b and a + b, for numbers that are not negative.
/// @throws input_error on overflow, and for a sum above 2^63 / 16
[[nodiscard]] std::int64_t product_of(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t sum_of(std::int64_t a, std::int64_t b);

}  // namespace duomap::python
