// Reads columns of Arrow streams and arrays: numbers in place, texts as offsets and bytes.
#include "arrow_input.hpp"

#include "arrays.hpp"
#include "arrow_abi.hpp"
#include "arrow_checks.hpp"
#include "arrow_reader.hpp"
#include "columns.hpp"
#include "core/error.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using column_list = nb::typed<nb::list, nb::any>;

/// The number of null rows among the rows [from, from + count).
std::uint64_t nulls_in(const ArrowArray& of, std::int64_t from, std::int64_t count) {
  if (of.null_count == 0 || of.buffers[0] == nullptr) return 0;
  const auto* const valid = static_cast<const std::uint8_t*>(of.buffers[0]);
  std::uint64_t nulls = 0;
  for (std::int64_t i = from; i < from + count; ++i) nulls += ((valid[i / 8] >> (i % 8)) & 1u) == 0 ? 1 : 0;
  return nulls;
}

/// A capsule that keeps a batch alive as long as an array uses its memory.
nb::capsule keeper_of(const std::shared_ptr<ArrowArray>& batch) {
  return {new std::shared_ptr<ArrowArray>(batch), [](void* left) noexcept {
            delete static_cast<std::shared_ptr<ArrowArray>*>(left);
          }};
}

/// Rows of a column in a batch. They exist: the checks have passed.
struct rows_of_column {
  const ArrowArray& of;
  std::int64_t from = 0;  // counted from the beginning of the buffers
  std::int64_t count = 0;
  const std::shared_ptr<ArrowArray>& batch;
};

/// An array over the values [from, from + count) of a buffer.
template <class T>
nb::object view(const void* buffer, std::int64_t from, std::int64_t count,
                const std::shared_ptr<ArrowArray>& batch) {
  if (buffer == nullptr && count > 0) throw_malformed("a buffer of values is missing");
  const auto size = static_cast<std::size_t>(count);
  const T* const data = buffer == nullptr ? nullptr : static_cast<const T*>(buffer) + from;
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data, {size}, keeper_of(batch)));
}

template <class T>
nb::object values(const rows_of_column& rows) {
  return view<T>(rows.of.buffers[1], rows.from, rows.count, rows.batch);
}

/// The function that makes arrays for a format of numbers; null for other formats.
auto reader_of_numbers(std::string_view format) -> nb::object (*)(const rows_of_column&) {
  switch (format.size() == 1 ? format.front() : ' ') {
    case 'c':
      return values<std::int8_t>;
    case 'C':
      return values<std::uint8_t>;
    case 's':
      return values<std::int16_t>;
    case 'S':
      return values<std::uint16_t>;
    case 'i':
      return values<std::int32_t>;
    case 'I':
      return values<std::uint32_t>;
    case 'l':
      return values<std::int64_t>;
    case 'L':
      return values<std::uint64_t>;
    case 'f':
      return values<float>;
    case 'g':
      return values<double>;
    default:
      return nullptr;
  }
}

/// The number at `index` of a buffer, which may be unaligned.
template <class T>
T at(const void* buffer, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + index * static_cast<std::int64_t>(sizeof(T)),
              sizeof value);
  return value;
}

/// The pair (offsets, bytes) of texts. Both are arrays over the column's memory.
template <class Offset>
nb::object texts_of(const rows_of_column& rows) {
  static constexpr Offset nothing = 0;
  const void* const offsets = rows.of.buffers[1];
  if (rows.count == 0)
    return nb::make_tuple(view<Offset>(&nothing, 0, 1, rows.batch),
                          view<std::uint8_t>(nullptr, 0, 0, rows.batch));
  if (offsets == nullptr) throw_malformed("the offsets of texts are missing");
  auto last = at<Offset>(offsets, rows.from);
  if (last < 0) throw_malformed("a text begins at " + std::to_string(last));
  for (std::int64_t i = rows.from + 1; i <= rows.from + rows.count; ++i) {
    const auto next = at<Offset>(offsets, i);
    if (next < last)
      throw_malformed("a text begins at " + std::to_string(last) + " and ends at " + std::to_string(next));
    last = next;
  }
  return nb::make_tuple(view<Offset>(offsets, rows.from, rows.count + 1, rows.batch),
                        view<std::uint8_t>(rows.of.buffers[2], 0, last, rows.batch));
}

/// The pair (offsets, bytes) of texts in the layout of Polars. There a view of 16 bytes holds a short text,
/// or the place of a long text. The texts are copied.
nb::object viewed_texts(const rows_of_column& rows) {
  struct view_of_text {
    std::int32_t length;
    std::int32_t begin;
    std::int32_t buffer;
    std::int32_t offset;
  };
  constexpr std::int32_t longest_inside = 12;
  const ArrowArray& of = rows.of;
  // Behind the views come the buffers of long texts. The last buffer has the sizes of these buffers.
  const std::int64_t buffers = of.n_buffers - 3;
  const void* const sizes = of.buffers[of.n_buffers - 1];
  if (buffers > 0 && sizes == nullptr) throw_malformed("the sizes of the buffers of texts are missing");
  if (rows.count > 0 && of.buffers[1] == nullptr) throw_malformed("the views of texts are missing");
  text_column all;
  for (std::int64_t i = rows.from; i < rows.from + rows.count; ++i) {
    const auto one = at<view_of_text>(of.buffers[1], i);
    if (one.length < 0) throw_malformed("a text has the length " + std::to_string(one.length));
    if (one.length <= longest_inside) {
      all.push_back({reinterpret_cast<const char*>(&one.begin), static_cast<std::uint64_t>(one.length)});
      continue;
    }
    if (one.buffer < 0 || one.buffer >= buffers || of.buffers[2 + one.buffer] == nullptr || one.offset < 0 ||
        std::int64_t{one.offset} + one.length > at<std::int64_t>(sizes, one.buffer))
      throw_malformed("a text lies outside its buffer");
    all.push_back({static_cast<const char*>(of.buffers[2 + one.buffer]) + one.offset,
                   static_cast<std::uint64_t>(one.length)});
  }
  const std::vector<std::uint8_t> bytes(all.bytes.begin(), all.bytes.end());
  return nb::make_tuple(to_array(std::move(all.begins)), to_array(bytes));
}

/// The length of the lists of a column whose format is "+w:LENGTH".
std::int64_t length_of_lists(std::string_view format) {
  const std::string_view digits = format.substr(3);
  std::int64_t length = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (status != std::errc{} || end != digits.data() + digits.size() || length < 0)
    throw_malformed("the lists' format is '" + std::string(format) + "'");
  return length;
}

/// A column's part in a batch: (kind, number of nulls, arrays). For "numbers" the arrays are one array, for
/// "lists" a length and an array, for "texts" offsets and bytes. Any other kind is the name of Arrow's format
/// and has no arrays. A part with nulls has no arrays either, because duomap does not read it.
nb::object part_of(const ArrowSchema& schema, const rows_of_column& rows) {
  const std::string_view format = schema.format;
  const auto part = [&](const char* kind, std::uint64_t nulls, const auto& arrays) -> nb::object {
    return nulls > 0 ? nb::make_tuple(kind, nulls, nb::none()) : nb::make_tuple(kind, nulls, arrays());
  };
  if (schema.dictionary != nullptr) return nb::make_tuple("a dictionary", 0, nb::none());

  const auto check = [&](const arrow_layout& layout) {
    check_array(rows.of, layout, format);
    check_rows(rows.of, rows.from, rows.count);
    return nulls_in(rows.of, rows.from, rows.count);
  };
  if (const auto read = reader_of_numbers(format); read != nullptr)
    return part("numbers", check({.buffers = 2}), [&] { return read(rows); });
  if (format == "u" || format == "z")
    return part("texts", check({.buffers = 3}), [&] { return texts_of<std::int32_t>(rows); });
  if (format == "U" || format == "Z")
    return part("texts", check({.buffers = 3}), [&] { return texts_of<std::int64_t>(rows); });
  if (format == "vu" || format == "vz")
    return part("texts", check({.buffers = 3}), [&] { return viewed_texts(rows); });
  if (format.starts_with("+w:") && schema.n_children == 1 && schema.children[0]->dictionary == nullptr) {
    const std::string_view inner = schema.children[0]->format;
    if (const auto read = reader_of_numbers(inner); read != nullptr) {
      const std::int64_t length = length_of_lists(format);
      std::uint64_t nulls = check({.buffers = 1, .children = 1});
      const ArrowArray& child = *rows.of.children[0];
      check_array(child, {.buffers = 2}, inner);
      const rows_of_column inside{child, sum_of(child.offset, product_of(rows.from, length)),
                                  product_of(rows.count, length), rows.batch};
      check_rows(child, inside.from, inside.count);
      nulls += nulls_in(child, inside.from, inside.count);
      return part("lists", nulls, [&] { return nb::make_tuple(length, read(inside)); });
    }
  }
  return nb::make_tuple("format " + std::string(format), 0, nb::none());
}

/// Adds the parts of a batch to their columns.
void add_batch(const ArrowSchema& schema, const std::shared_ptr<ArrowArray>& batch, column_list& columns) {
  if (!is_table(schema)) {
    nb::cast<nb::list>(columns[0][1]).append(part_of(schema, {*batch, batch->offset, batch->length, batch}));
    return;
  }
  check_array(*batch, {.buffers = 1, .children = schema.n_children}, schema.format);
  if (nulls_in(*batch, batch->offset, batch->length) > 0)
    throw usage_error("rows of the Arrow table are null");
  for (std::int64_t i = 0; i < batch->n_children; ++i) {
    const ArrowArray& child = *batch->children[i];
    nb::cast<nb::list>(columns[static_cast<std::size_t>(i)][1])
        .append(
            part_of(*schema.children[i], {child, sum_of(child.offset, batch->offset), batch->length, batch}));
  }
}

/// A pair for each column: its name, and an empty list for its parts.
column_list empty_columns(const ArrowSchema& schema) {
  column_list columns;
  const auto add = [&](const ArrowSchema& one) {
    const std::string_view name = one.name == nullptr ? "" : one.name;
    columns.append(nb::make_tuple(nb::steal(PyUnicode_DecodeUTF8(
                                      name.data(), static_cast<Py_ssize_t>(name.size()), "backslashreplace")),
                                  nb::list()));
  };
  if (!is_table(schema)) {
    add(schema);
  } else {
    for (std::int64_t i = 0; i < schema.n_children; ++i) add(*schema.children[i]);
  }
  return columns;
}

column_list columns_of(arrow_reader reader) {
  column_list columns = empty_columns(reader.schema());
  while (const std::shared_ptr<ArrowArray> batch = reader.next()) add_batch(reader.schema(), batch, columns);
  return columns;
}

column_list columns_of_stream(const nb::capsule& capsule) { return columns_of(arrow_reader(capsule)); }

column_list columns_of_array(const nb::capsule& schema, const nb::capsule& array) {
  return columns_of(arrow_reader(schema, array));
}

}  // namespace

void add_arrow_input(nb::module_& module) {
  module.def("columns_of_stream", columns_of_stream, "capsule"_a);
  module.def("columns_of_array", columns_of_array, "schema"_a, "capsule"_a);
}

}  // namespace duomap::python
