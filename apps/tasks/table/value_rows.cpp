// Sorts the rows of a result by group and number.
#include "apps/tasks/table/value_rows.hpp"

#include "apps/tasks/table/comma_number.hpp"
#include "apps/tasks/table/scaled_number.hpp"
#include "core/compact_key.hpp"
#include "core/error.hpp"
#include "core/parallel_sort.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <string>

namespace duomap::apps {
namespace {

// A text with a zero before other digits is a code: nobody writes a number like that.
bool is_code(byte_view text) {
  const std::uint64_t at = text[0] == '-' || text[0] == '+' ? 1 : 0;
  return text.size > at + 1 && text[at] == '0' && text[at + 1] >= '0' && text[at + 1] <= '9';
}

bool same_group(const value_row& a, const value_row& b) {
  return a.group_size == b.group_size && std::memcmp(a.key, b.key, a.group_size) == 0;
}

// The digits of a number from the first one that is not 0 to the exponent.
unsigned digits_in(byte_view number) {
  unsigned digits = 0;
  for (std::uint64_t i = 0; i < number.size && number[i] != 'e' && number[i] != 'E'; ++i) {
    if (number[i] >= '0' && number[i] <= '9' && (digits > 0 || number[i] != '0')) ++digits;
  }
  return digits;
}

// Whether holds(row, text) is true for all values that are not missing. Skips values after one that fails.
bool holds_for_values(std::vector<value_row>& rows, worker_pool& pool, bool decimal_comma,
                      const auto& holds) {
  std::atomic<bool> all = true;
  const std::uint64_t parts = parts_of_groups(pool);
  pool.for_each_index(parts, [&](std::uint64_t part) {
    const std::uint64_t end = rows.size() * (part + 1) / parts;
    char made[comma_number::room];
    for (std::uint64_t i = rows.size() * part / parts; i < end && all; ++i) {
      if (rows[i].rows == 0) continue;
      const byte_view text = decimal_comma ? comma_number::with_point(rows[i].text(), made) : rows[i].text();
      if (!holds(rows[i], trimmed(text))) all = false;
    }
  });
  return all;
}

// Gives the groups among rows of one hash to use(rows).
void split_hash(std::span<value_row> rows, const auto& use) {
  const auto is_other = [&](const value_row& one) {
    return !same_group(one, rows[0]);
  };
  if (std::ranges::any_of(rows, is_other)) {
    std::ranges::stable_sort(
        rows, [](const value_row& a, const value_row& b) { return a.group().text() < b.group().text(); });
  }
  while (!rows.empty()) {
    const auto end = std::ranges::find_if(rows, is_other);
    const auto size = static_cast<std::size_t>(end - rows.begin());
    use(std::span<const value_row>(rows.first(size)));
    rows = rows.subspan(size);
  }
}

}  // namespace

value_row value_row_of(byte_view key, unsigned columns) {
  unsigned found = 1;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < key.size; ++i) {
    if (key[i] != '\n') continue;
    ++found;
    last = i;
  }
  if (found != columns || key.size > std::numeric_limits<std::uint32_t>::max())
    throw input_error("a key of the result has " + std::to_string(found) + " columns, not " +
                      std::to_string(columns) + ", so a part was not made by this program; map again");
  value_row row;
  row.key = key.data;
  row.key_size = static_cast<std::uint32_t>(key.size);
  row.group_size = static_cast<std::uint32_t>(last);
  row.hash = hash_of_key(row.group());
  return row;
}

std::optional<number_type> read_numbers(std::vector<value_row>& rows, worker_pool& pool, bool decimal_comma) {
  constexpr unsigned most_decimals = 18;
  constexpr unsigned most_digits_of_doubles = 17;  // more digits are an identifier's
  std::atomic<unsigned> scale = 0;
  const auto find_scale = [&](value_row&, byte_view text) {
    const scaled_number number = parse_scaled(text, 0);  // for its decimals; integers are read fastest so
    for (unsigned seen = scale;
         seen < number.decimals && !scale.compare_exchange_weak(seen, number.decimals);) {
    }
    return number.status != scaled_status::no_number && number.decimals <= most_decimals && !is_code(text);
  };
  const auto read_decimal = [&](value_row& row, byte_view text) {
    const scaled_number number = parse_scaled(text, scale);
    row.number = number.value;
    return number.status == scaled_status::number;
  };
  const auto read_double = [&](value_row& row, byte_view text) {
    const parsed<double> number = parse_real(text);
    row.number = ordered_bits(number.value == 0 ? 0.0 : number.value);
    return number.status == parse_status::number && digits_in(text) <= most_digits_of_doubles &&
           !is_code(text);
  };
  if (holds_for_values(rows, pool, decimal_comma, find_scale) &&
      holds_for_values(rows, pool, decimal_comma, read_decimal))
    return number_type{.scale = scale};
  if (holds_for_values(rows, pool, decimal_comma, read_double)) return number_type{.real = true};
  for (value_row& row : rows) row.number = 0;
  return std::nullopt;
}

double middle_of(std::int64_t least, std::int64_t greatest, const number_type& type) {
  if (type.real) {
    const double below = double_of_ordered(least);
    return below == double_of_ordered(greatest) ? below : below / 2 + double_of_ordered(greatest) / 2;
  }
  long double unit = 1;
  for (unsigned i = 0; i < type.scale; ++i) unit *= 10;
  return static_cast<double>((static_cast<long double>(least) + static_cast<long double>(greatest)) / 2 /
                             unit);
}

std::uint64_t parts_of_groups(const worker_pool& pool) {
  return pool.workers() == 1 ? 1 : std::uint64_t{pool.workers()} * 4;
}

void for_each_group(std::vector<value_row>& rows, worker_pool& pool,
                    const std::function<void(std::uint64_t part, std::span<const value_row> group)>& use) {
  const auto by_hash = [](const value_row& a, const value_row& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.number < b.number;
  };
  parallel_sort(rows, by_hash, pool);
  // A part takes the rows of each hash that begins in it. The borders are found before any part sorts the
  // rows of a hash.
  const std::uint64_t parts = parts_of_groups(pool);
  std::vector<std::uint64_t> begins;
  for (std::uint64_t part = 0; part <= parts; ++part) {
    std::uint64_t begin = rows.size() * part / parts;
    while (begin > 0 && begin < rows.size() && rows[begin].hash == rows[begin - 1].hash) ++begin;
    begins.push_back(begin);
  }
  pool.for_each_index(parts, [&](std::uint64_t part) {
    std::uint64_t begin = begins[part];
    while (begin < begins[part + 1]) {
      std::uint64_t next = begin + 1;
      while (next < begins[part + 1] && rows[next].hash == rows[begin].hash) ++next;
      split_hash(std::span(rows).subspan(begin, next - begin),
                 [&](std::span<const value_row> group) { use(part, group); });
      begin = next;
    }
  });
}

}  // namespace duomap::apps
