// Reads keys column by column, with the type of the input's column.
#include "key_columns.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <variant>

namespace duomap::python {
namespace {

column empty_column(const std::string& name, const apps::key_form& form, const std::string& meaning) {
  column made{name, text_column{}, {}, meaning};
  if (form.width == 0) return made;
  const bool large = form.width == sizeof(std::uint64_t) && !form.is_signed;
  if (large) {
    made.values = std::vector<std::uint64_t>{};
  } else {
    made.values = std::vector<std::int64_t>{};
  }
  return made;
}

void add(const apps::key_value& value, column& to) {
  to.missing.push_back(value.null);
  if (auto* const texts = std::get_if<text_column>(&to.values)) return texts->push_back(value.text);
  if (auto* const large = std::get_if<std::vector<std::uint64_t>>(&to.values))
    return large->push_back(static_cast<std::uint64_t>(value.number));
  std::get<std::vector<std::int64_t>>(to.values).push_back(value.null ? missing_number(to.meaning)
                                                                      : value.number);
}

}  // namespace

std::int64_t missing_number(const std::string& meaning) {
  // NumPy takes this number for no moment.
  return meaning.starts_with("t") ? std::numeric_limits<std::int64_t>::min() : 0;
}

std::vector<column> key_columns(const text_column& keys, const apps::key_layout& layout,
                                const std::vector<std::string>& names,
                                const std::vector<std::string>& meanings) {
  std::vector<column> all;
  for (unsigned k = 0; k < layout.count; ++k)
    all.push_back(empty_column(names[k], layout.forms[k], meanings[k]));
  for (std::uint64_t row = 0; row < keys.size(); ++row)
    layout.for_each_value(keys[row], [&](unsigned k, const apps::key_value& value) { add(value, all[k]); });
  for (column& one : all)
    if (std::ranges::none_of(one.missing, [](bool missing) { return missing; })) one.missing.clear();
  return all;
}

}  // namespace duomap::python
