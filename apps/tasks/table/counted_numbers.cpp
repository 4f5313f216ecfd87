// Computes statistics of counted numbers.
#include "apps/tasks/table/counted_numbers.hpp"

#include "apps/tasks/table/scaled_number.hpp"

#include <algorithm>
#include <string>

namespace duomap::apps {
namespace {

__extension__ using wide = __int128;

wide power_of_ten(unsigned exponent) {
  wide power = 1;
  for (unsigned i = 0; i < exponent; ++i) power *= 10;
  return power;
}

std::uint64_t rows_of(std::span<const counted_number> numbers) {
  std::uint64_t rows = 0;
  for (const counted_number& one : numbers) rows += one.rows;
  return rows;
}

// The double next to number / 10^decimals. Where two doubles hold both operands, one division rounds once.
double rounded(wide number, unsigned decimals) {
  constexpr wide most_integer = wide{1} << 53;
  constexpr unsigned most_power_of_ten = 22;
  if (number >= -most_integer && number <= most_integer && decimals <= most_power_of_ten) {
    double power = 1;
    for (unsigned i = 0; i < decimals; ++i) power *= 10;
    return static_cast<double>(number) / power;
  }
  const bool negative = number < 0;
  std::string text = "e-" + std::to_string(decimals);
  for (wide left = negative ? -number : number; left > 0; left /= 10)
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(left % 10)));
  if (text[0] == 'e') text.insert(0, "0");
  if (negative) text.insert(0, "-");
  return parse_real(byte_view(text)).value;
}

// How far a number is above another one that is no larger. With 64 bits of fraction this is exact for
// integers and decimals.
long double distance(std::int64_t from, std::int64_t to, const number_type& type) {
  if (type.real)
    return static_cast<long double>(double_of_ordered(to)) -
           static_cast<long double>(double_of_ordered(from));
  return static_cast<long double>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

}  // namespace

std::optional<std::int64_t> mode_of(std::span<const counted_number> numbers) {
  const auto most = std::ranges::max_element(numbers, {}, &counted_number::rows);
  if (most == numbers.end()) return std::nullopt;
  return most->number;
}

std::optional<double> quantile_of(std::span<const counted_number> numbers, const decimal_fraction& at,
                                  const number_type& type) {
  if (numbers.empty()) return std::nullopt;
  const wide unit = power_of_ten(at.scale);
  const wide position = wide{at.digits} * (rows_of(numbers) - 1);  // below 10^18 * 2^64
  const wide between = position % unit;
  std::uint64_t before = static_cast<std::uint64_t>(position / unit);
  std::size_t i = 0;
  const std::size_t last = numbers.size() - 1;  // a bound, because the rows of a forged partial may overflow
  for (; i < last && before >= numbers[i].rows; ++i) before -= numbers[i].rows;
  const bool next_differs = i < last && between > 0 && before + 1 == numbers[i].rows;
  const std::int64_t low = numbers[i].number, high = numbers[next_differs ? i + 1 : i].number;
  if (type.real) {
    const long double part = static_cast<long double>(between) / static_cast<long double>(unit);
    return static_cast<double>(static_cast<long double>(double_of_ordered(low)) +
                               distance(low, high, type) * part);
  }
  return rounded(wide{low} * unit + (wide{high} - low) * between, at.scale + type.scale);
}

std::optional<long double> variance_of(std::span<const counted_number> numbers, const number_type& type) {
  const std::uint64_t rows = rows_of(numbers);
  if (rows < 2) return std::nullopt;
  // Distances from the smallest number lose no digits when all numbers are large and close together.
  const std::int64_t smallest = numbers[0].number;
  long double sum = 0;
  for (const counted_number& one : numbers)
    sum += distance(smallest, one.number, type) * static_cast<long double>(one.rows);
  const long double mean = sum / static_cast<long double>(rows);
  long double squares = 0;
  for (const counted_number& one : numbers) {
    const long double away = distance(smallest, one.number, type) - mean;
    squares += away * away * static_cast<long double>(one.rows);
  }
  const auto unit = static_cast<long double>(power_of_ten(type.real ? 0 : type.scale));
  return squares / static_cast<long double>(rows - 1) / unit / unit;
}

}  // namespace duomap::apps
