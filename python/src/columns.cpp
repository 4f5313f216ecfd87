// The class Columns: rows as tuples, columns as arrays or lists, sorting, and export to Arrow.
#include "arrow.hpp"
#include "column_set.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <type_traits>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// A str. Bytes that are not UTF-8 become lone surrogates, as with os.fsdecode.
nb::object text_object(byte_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data, static_cast<Py_ssize_t>(text.size), "surrogateescape"));
}

nb::object cell(const column& from, std::uint64_t row) {
  if (from.is_missing(row)) return nb::none();
  return std::visit(
      [&](const auto& values) -> nb::object {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(values)>, text_column>) {
          return text_object(values[row]);
        } else {
          if (from.meaning == "b") return nb::bool_(values[row] != 0);
          return nb::cast(values[row]);
        }
      },
      from.values);
}

/// The rows [first, first + count) as tuples, without rows beyond the end.
nb::typed<nb::list, nb::any> rows_of(const column_set& set, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t rows = set.of->rows();
  first = std::min(first, rows);
  count = std::min(count, rows - first);
  nb::typed<nb::list, nb::any> all;
  for (std::uint64_t row = first; row < first + count; ++row) {
    nb::list cells;
    for (const column& one : set.of->all) cells.append(cell(one, row));
    all.append(nb::tuple(cells));
  }
  return all;
}

bool is_moment(const column& one) { return one.meaning.starts_with("t"); }

/// A column: numbers as an array over the column's own memory, texts as a list. Numbers of which some are
/// missing are a list, too, unless they are moments: for these NumPy has a number that means none.
nb::object values_of(const nb::object& self, std::uint64_t index) {
  const column_set& set = nb::cast<const column_set&>(self);
  const column& one = set.of->all.at(index);
  return std::visit(
      [&](const auto& values) -> nb::object {
        using type = std::remove_cvref_t<decltype(values)>;
        if (std::is_same_v<type, text_column> || (!one.missing.empty() && !is_moment(one))) {
          nb::list all;
          for (std::uint64_t i = 0; i < values.size(); ++i) all.append(cell(one, i));
          return all;
        }
        if constexpr (std::is_same_v<type, text_column>) {
          return nb::none();
        } else {
          using array = nb::ndarray<nb::numpy, const typename type::value_type, nb::ndim<1>>;
          return nb::cast(array(values.data(), {values.size()}, self));
        }
      },
      one.values);
}

}  // namespace

void add_columns(nb::module_& module) {
  nb::class_<column_set>(module, "Columns")
      .def("__len__", [](const column_set& set) { return set.of->rows(); })
      .def("names",
           [](const column_set& set) {
             std::vector<std::string> names;
             for (const column& one : set.of->all) names.push_back(one.name);
             return names;
           })
      .def("meanings",
           [](const column_set& set) {
             std::vector<std::string> meanings;
             for (const column& one : set.of->all) meanings.push_back(one.meaning);
             return meanings;
           })
      .def("rows", rows_of, "first"_a, "count"_a)
      .def("values", values_of, "index"_a)
      .def(
          "ordered",
          [](const column_set& set, std::uint64_t by, bool descending, std::uint64_t count) {
            const nb::gil_scoped_release free;
            return share(ordered(*set.of, by, descending, count));
          },
          "by"_a, "descending"_a, "count"_a)
      .def("arrow_stream", [](const column_set& set) { return arrow_stream(set.of); });
  add_columns_state(module);
}

}  // namespace duomap::python
