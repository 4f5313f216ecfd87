// Turns keys and their states into the cells of the answer.
#include "apps/tasks/table/grouped_table.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <limits>

namespace duomap::apps {
namespace {

__extension__ using wide = __int128;

// The sum of a column of integers or decimals, in units of 10^-scale.
wide sum_of(const group_numbers& numbers) {
  return static_cast<wide>(numbers.high) * (wide{1} << 32) + numbers.low;
}

long double unit_of(unsigned scale) {
  long double unit = 1;
  for (unsigned i = 0; i < scale; ++i) unit *= 10;
  return unit;
}

std::string digits_of(wide number, unsigned scale) {
  const bool negative = number < 0;
  std::string digits;
  for (wide left = negative ? -number : number; left > 0 || digits.size() <= scale; left /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  if (scale > 0) digits.insert(digits.end() - scale, '.');
  return (negative ? "-" : "") + digits;
}

// A number in units of 10^-scale. Doubles of up to 15 digits are written as these digits.
cell scaled_cell(wide number, unsigned scale, std::string& text) {
  constexpr wide exact = 1'000'000'000'000'000;
  if (scale == 0 && number == static_cast<std::int64_t>(number)) return static_cast<std::int64_t>(number);
  if (scale > 0 && number > -exact && number < exact)
    return static_cast<double>(static_cast<long double>(number) / unit_of(scale));
  text = digits_of(number, scale);
  return byte_view(text);
}

long double number_of(std::int64_t stored, const number_type& type) {
  return type.real ? static_cast<long double>(double_of_ordered(stored))
                   : static_cast<long double>(stored) / unit_of(type.scale);
}

long double mean_of(const group_numbers& numbers, const number_type& type) {
  const auto count = static_cast<long double>(numbers.count);
  return type.real ? static_cast<long double>(numbers.real) / count
                   : static_cast<long double>(sum_of(numbers)) / (count * unit_of(type.scale));
}

// Refuses sums that may be inexact. A state has 96 bits for a sum, which fewer numbers cannot exceed.
void require_exact(const aggregate& asked, const group_numbers& numbers, byte_view key,
                   const key_text_function& key_text) {
  if (numbers.count <= std::numeric_limits<std::uint32_t>::max()) return;
  throw error(exit_status::failed, "the sum of column " + quoted(asked.column) + " under the key " +
                                       quoted(key_text ? key_text(key) : std::string(key.text())) +
                                       " has more than 4,294,967,295 numbers, where exact sums end; "
                                       "declare the column as real (--types)");
}

}  // namespace

cell aggregate_cell(const aggregate& asked, const number_type& type, const group_numbers& numbers,
                    byte_view key, std::string& text, const key_text_function& key_text) {
  switch (asked.kind) {
    case aggregate_kind::rows:
      return numbers.rows;
    case aggregate_kind::count:
      return numbers.count;
    case aggregate_kind::sum:
      if (numbers.count == 0) return missing_cell{};
      if (type.real) return numbers.real;
      require_exact(asked, numbers, key, key_text);
      return scaled_cell(sum_of(numbers), type.scale, text);
    case aggregate_kind::mean:
      if (numbers.count == 0) return missing_cell{};
      if (!type.real) require_exact(asked, numbers, key, key_text);
      return static_cast<double>(mean_of(numbers, type));
    case aggregate_kind::least:
    case aggregate_kind::greatest: {
      if (numbers.count == 0) return missing_cell{};
      const std::int64_t stored = asked.kind == aggregate_kind::least ? numbers.least : numbers.greatest;
      if (type.real) return double_of_ordered(stored);
      return scaled_cell(stored, type.scale, text);
    }
    default:  // aggregates that need more than these numbers
      return missing_cell{};
  }
}

std::optional<long double> aggregate_order(const aggregate& asked, const number_type& type,
                                           const group_numbers& numbers) {
  if (asked.kind == aggregate_kind::rows) return static_cast<long double>(numbers.rows);
  if (asked.kind == aggregate_kind::count) return static_cast<long double>(numbers.count);
  if (numbers.count == 0) return std::nullopt;
  switch (asked.kind) {
    case aggregate_kind::least:
      return number_of(numbers.least, type);
    case aggregate_kind::greatest:
      return number_of(numbers.greatest, type);
    case aggregate_kind::mean:
      return mean_of(numbers, type);
    default:
      return type.real ? static_cast<long double>(numbers.real)
                       : static_cast<long double>(sum_of(numbers)) / unit_of(type.scale);
  }
}

std::vector<unsigned> columns_of(const grouping& asked) {
  const std::vector<std::string> columns = asked.value_columns();
  std::vector<unsigned> all;
  for (const aggregate& one : asked.aggregates) {
    const auto at = std::ranges::find(columns, one.column);
    all.push_back(at == columns.end() ? 0 : static_cast<unsigned>(at - columns.begin()));
  }
  return all;
}

void add_key_cells(byte_view key, unsigned columns, std::vector<cell>& cells, std::string* joined) {
  byte_view shown = key;
  if (joined != nullptr) {
    joined->assign(key.text());
    std::ranges::replace(*joined, joined_line_feed, '\n');
    shown = byte_view(*joined);
  }
  std::uint64_t at = 0;
  for (unsigned k = 1; k <= columns; ++k) {
    const std::uint64_t end = k == columns ? key.size : find_byte(key, '\n', at);
    cells.emplace_back(shown.sub(at, end - at));
    at = end + 1;
  }
}

bool joined_less(byte_view a, byte_view b) noexcept {
  // Twice the byte leaves room for the line feeds of a field, behind those between columns.
  const auto place_of = [](char byte) {
    return byte == joined_line_feed ? 2u * '\n' + 1 : 2u * static_cast<unsigned char>(byte);
  };
  return std::ranges::lexicographical_compare(a.text(), b.text(), {}, place_of, place_of);
}

}  // namespace duomap::apps
