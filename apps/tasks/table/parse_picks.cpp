// Parses argmin and argmax as users write them.
#include "apps/tasks/table/parse_picks.hpp"

#include "apps/tasks/table/row_picks.hpp"
#include "core/error.hpp"
#include "core/text/number.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::apps {

std::vector<aggregate> parse_best_rows(aggregate_kind kind, const std::string& column, const std::string& by,
                                       char separator, const std::string& written) {
  const std::size_t at = by.rfind(separator);
  const std::string count = at == std::string::npos ? "" : by.substr(at + 1);
  // A separator without digits behind it is a part of the column's name.
  const bool has_count = !count.empty() && count.find_first_not_of("0123456789") == std::string::npos;
  const std::string name = has_count ? by.substr(0, at) : by;
  if (column.empty() || name.empty())
    throw usage_error(written +
                      " lacks a column: it needs the column of the values and the column by which "
                      "rows are compared");
  if (!has_count) return {{.kind = kind, .column = column, .by = name}};
  const parsed<std::uint32_t> rows = parse_integer<std::uint32_t>(byte_view(count));
  if (!rows.all_of(count.size()) || rows.value == 0 || rows.value > most_rows_of_a_pick)
    throw usage_error(written + " asks for " + count + " rows; give 1 to " +
                      std::to_string(most_rows_of_a_pick));
  std::vector<aggregate> all;
  for (unsigned rank = 1; rank <= rows.value; ++rank)
    all.push_back({.kind = kind, .column = column, .by = name, .rank = rank});
  return all;
}

}  // namespace duomap::apps
