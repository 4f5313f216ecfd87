// Turns columns into tuples, which pickle can write, and tuples into columns.
#include "arrays.hpp"
#include "column_set.hpp"
#include "core/error.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using column_state = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

/// The state of values: (name, numbers), or (name, offsets of texts, bytes of all texts). The offsets are the
/// beginning of each text and the end of the last.
column_state state_of_values(const column& one) {
  return std::visit(
      [&](const auto& values) -> column_state {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(values)>, text_column>) {
          return nb::make_tuple(one.name, to_array(values.begins),
                                nb::bytes(values.bytes.data(), values.bytes.size()));
        } else {
          return nb::make_tuple(one.name, to_array(values));
        }
      },
      one.values);
}

/// The state of a column: that of its values, or (that, meaning, a byte for each row that is 1 if the value
/// is missing).
column_state state_of(const column& one) {
  if (one.meaning.empty() && one.missing.empty()) return state_of_values(one);
  const std::string missing(one.missing.begin(), one.missing.end());
  return nb::make_tuple(state_of_values(one), one.meaning, nb::bytes(missing.data(), missing.size()));
}

std::vector<std::int64_t> begins_of(nb::handle from, std::size_t bytes) {
  const auto given = view_of(nb::cast<vector_argument<std::int64_t>>(from, false));
  std::vector<std::int64_t> begins(given.begin(), given.end());
  if (begins.empty() || begins.front() != 0 || begins.back() != static_cast<std::int64_t>(bytes) ||
      !std::is_sorted(begins.begin(), begins.end()))
    throw input_error("these texts are no column of a table that was stored");
  return begins;
}

template <class T>
bool take_numbers(column& to, nb::handle from) {
  vector_argument<T> given;
  if (!nb::try_cast(from, given, false)) return false;
  const auto values = view_of(given);
  to.values = std::vector<T>(values.begin(), values.end());
  return true;
}

column column_of(const nb::tuple& state) {
  if (nb::isinstance<nb::tuple>(state[0])) {
    column one = column_of(nb::cast<nb::tuple>(state[0]));
    one.meaning = nb::cast<std::string>(state[1]);
    const auto missing = nb::cast<nb::bytes>(state[2]);
    for (std::size_t i = 0; i < missing.size(); ++i) one.missing.push_back(missing.c_str()[i] != 0);
    const bool fits = one.missing.empty() || one.missing.size() == columns{{one}}.rows();
    const bool whole = one.meaning.empty() || std::holds_alternative<std::vector<std::int64_t>>(one.values);
    if (!fits || !whole) throw input_error("these values are no column of a table that was stored");
    return one;
  }
  column one{nb::cast<std::string>(state[0]), text_column{}};
  if (state.size() == 3) {
    const auto bytes = nb::cast<nb::bytes>(state[2]);
    one.values = text_column{.begins = begins_of(state[1], bytes.size()),
                             .bytes = std::string(bytes.c_str(), bytes.size())};
    return one;
  }
  const nb::handle numbers = state[1];
  if (take_numbers<std::uint32_t>(one, numbers) || take_numbers<std::uint64_t>(one, numbers) ||
      take_numbers<std::int64_t>(one, numbers) || take_numbers<float>(one, numbers) ||
      take_numbers<double>(one, numbers))
    return one;
  throw input_error("these numbers are no column of a table that was stored");
}

}  // namespace

void add_columns_state(nb::module_& module) {
  module.def(
      "columns_state",
      [](const column_set& set) {
        nb::typed<nb::list, column_state> all;
        for (const column& one : set.of->all) all.append(state_of(one));
        return all;
      },
      "columns"_a);
  module.def(
      "columns_of_state",
      [](const nb::typed<nb::list, column_state>& state) {
        columns all;
        for (const nb::handle one : state) all.all.push_back(column_of(nb::cast<nb::tuple>(one)));
        for (const column& one : all.all) {
          const auto rows =
              std::visit([](const auto& values) -> std::uint64_t { return values.size(); }, one.values);
          if (rows != all.rows()) throw input_error("these columns are no table that was stored");
        }
        return share(std::move(all));
      },
      "state"_a);
}

}  // namespace duomap::python
