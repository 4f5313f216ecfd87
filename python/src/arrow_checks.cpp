// Checks schemas, arrays and lengths of Arrow data. Nothing reads the data before.
#include "arrow_checks.hpp"

#include "core/error.hpp"

#include <limits>

namespace duomap::python {
namespace {

// A schema that contains itself would have no end, so schemas may be nested this deep.
constexpr unsigned deepest_schema = 64;

void check_schema_at(const ArrowSchema& schema, unsigned depth) {
  if (depth > deepest_schema) throw_malformed("its types are nested too deep");
  if (schema.release == nullptr) throw_malformed("a part of its schema was released before");
  if (schema.format == nullptr) throw_malformed("a column has no format");
  if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr))
    throw_malformed("format '" + std::string(schema.format) + "' lacks its children");
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (schema.children[i] == nullptr)
      throw_malformed("format '" + std::string(schema.format) + "' lacks a child");
    check_schema_at(*schema.children[i], depth + 1);
  }
}

}  // namespace

void throw_malformed(const std::string& why) {
  throw input_error("the Arrow data is malformed: " + why + "; the library that made it has an error");
}

void check_schema(const ArrowSchema& schema) { check_schema_at(schema, 0); }

void check_array(const ArrowArray& of, const arrow_layout& layout, std::string_view format) {
  const auto fail = [&](const std::string& what, std::int64_t is) {
    throw_malformed("an array of format '" + std::string(format) + "' has " + what + std::to_string(is));
  };
  if (of.release == nullptr) throw_malformed("an array was released before");
  if (of.length < 0) fail("the length ", of.length);
  if (of.offset < 0) fail("the offset ", of.offset);
  if (of.null_count < -1 || of.null_count > of.length) fail("the number of nulls ", of.null_count);
  const bool views = format == "vu" || format == "vz";
  if (views ? of.n_buffers < layout.buffers : of.n_buffers != layout.buffers)
    fail("the number of buffers ", of.n_buffers);
  if (of.n_children != layout.children) fail("the number of children ", of.n_children);
  if (of.n_buffers > 0 && of.buffers == nullptr) throw_malformed("an array has no list of its buffers");
  if (of.n_children > 0 && of.children == nullptr) throw_malformed("an array has no list of its children");
  for (std::int64_t i = 0; i < of.n_children; ++i) {
    if (of.children[i] == nullptr) throw_malformed("an array lacks a child");
  }
  if (of.null_count > 0 && of.buffers[0] == nullptr)
    throw_malformed("an array has nulls, and does not say which rows they are");
  // Throws if the place of the last row overflows.
  static_cast<void>(sum_of(of.offset, of.length));
}

void check_rows(const ArrowArray& of, std::int64_t from, std::int64_t count) {
  if (sum_of(from, count) > sum_of(of.offset, of.length))
    throw_malformed("a child has " + std::to_string(of.length) + " rows, fewer than its parent needs");
}

std::int64_t product_of(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw_malformed("a length is too large");
  return product;
}

std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  // A row has at most 16 bytes, so the byte offset of each row fits into 64 bits.
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum > most) throw_malformed("a length is too large");
  return sum;
}

}  // namespace duomap::python
