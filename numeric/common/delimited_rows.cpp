// Converts rows of fields: numbers in place, other fields by delimited_line.
#include "numeric/common/delimited_rows.hpp"

#include "core/text/find_byte.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/odd_number.hpp"
#include "numeric/common/shown_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>

namespace duomap {
namespace {

byte_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::uint64_t>(end - begin)};
}

const char* skip_blanks(const char* at, const char* end, char delimiter) {
  while (at != end && is_blank(*at, delimiter)) ++at;
  return at;
}

bool ends_line(const char* at, const char* end) {
  return at == end || *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] == '\n'));
}

field_problem not_a_number(byte_view field) {
  const odd_number odd = odd_number_in(field);
  const std::string what = shown(field) + " is not a number";
  if (odd.why.empty()) return {row_fault::not_a_number, what};
  return {odd.other_delimiter ? row_fault::other_delimiter : row_fault::odd_number,
          what + " (" + odd.why + ")"};
}

/// Whether a text rounded to this double, and then to float, gives the float of a single rounding. It may not
/// if the double is in the middle between two floats, or outside the range of normal floats.
bool rounds_once(double number) {
  constexpr std::uint64_t lost_bits = (std::uint64_t{1} << 29) - 1, middle = std::uint64_t{1} << 28;
  const double size = std::abs(number);
  return number == 0 ||
         ((std::bit_cast<std::uint64_t>(number) & lost_bits) != middle &&
          size >= std::numeric_limits<float>::min() && size <= std::numeric_limits<float>::max());
}

/// Reads the field at `at` if the field is a finite number without quotes, as nearly all fields are. Moves
/// `at` to the next field if there are `more`, or else to the end of the line. Returns false for any other
/// field, and leaves `at` where it is. `exact`: the number in float64.
template <class T>
bool read_plain_number(const char*& at, const char* end, char delimiter, T& value, double& exact,
                       bool& more) {
  const auto [stop, error] = std::from_chars(at, end, exact);
  if (error != std::errc() || !std::isfinite(exact)) return false;
  T number = static_cast<T>(exact);
  if constexpr (std::is_same_v<T, float>) {
    if (!rounds_once(exact) && std::from_chars(at, end, number).ec != std::errc()) return false;
  }
  const char* const next = skip_blanks(stop, end, delimiter);
  const bool last = ends_line(next, end);
  if (!last && *next != delimiter && !(delimiter == ' ' && next != stop)) return false;
  value = number;
  more = !last;
  at = more && delimiter != ' ' ? next + 1 : next;
  return true;
}

}  // namespace

template <class T>
row_converter<T>::row_converter(const delimited_layout& layout, const table_options& options)
  : layout_(layout), options_(options), columns_(layout.values()) {
  for (const std::vector<std::string>& texts : options.known_symbols) {
    if (texts.empty()) continue;
    known_texts& known = known_.emplace_back();
    for (std::size_t i = 0; i < texts.size(); ++i) known.emplace(texts[i], static_cast<std::uint32_t>(i));
  }
}

template <class T>
bool row_converter<T>::convert(byte_view chunk, converted_rows<T>& into) const {
  const char* at = chunk.begin();
  const char* const end = chunk.end();
  for (std::uint64_t line = 0; at != end; ++line) {
    const char* first = at;
    while (first != end && (is_blank(*first, layout_.delimiter) || *first == '\r')) ++first;
    if (first == end) break;
    if (*first == '\n') {
      at = first + 1;
      continue;
    }
    if (into.rows + into.bad == into.room) return false;
    row_problem problem{line, row_fault::none, {}};
    if (const char* const next = convert_row(at, end, into, problem); next != nullptr) {
      ++into.rows;
      at = next;
      continue;
    }
    ++into.bad;
    if (!into.first_problem) into.first_problem = std::move(problem);
    if (options_.rows == bad_rows::error) return true;
    const byte_view rest = between(at, end);
    const std::uint64_t newline = find_byte(rest, '\n');
    at = newline == rest.size ? end : at + newline + 1;
  }
  return into.rows + into.bad == into.room;
}

/// Converts a row, and returns the beginning of the next line; null when the row is bad. Reads numbers where
/// they stand, and leaves all other fields to delimited_line.
template <class T>
const char* row_converter<T>::convert_row(const char* at, const char* end, converted_rows<T>& into,
                                          row_problem& problem) const {
  const char delimiter = layout_.delimiter;
  const char* const line_begin = at;
  const char* line_end = nullptr;
  T* const values = into.values + into.rows * columns_;
  std::uint64_t value = 0;
  std::uint64_t symbol = 0;
  const std::size_t fields = layout_.uses.size();
  for (std::size_t i = 0; i < fields; ++i) {
    at = skip_blanks(at, end, delimiter);
    bool more = false;
    double exact = 0;
    const bool is_number = layout_.uses[i] == column_use::number;
    if (is_number && read_plain_number(at, end, delimiter, values[value], exact, more)) {
      if constexpr (std::is_same_v<T, float>) into.watch.add(value, exact);
    } else {
      if (line_end == nullptr) line_end = at + find_byte(between(at, end), '\n');
      delimited_line rest(between(at, line_end), delimiter);
      delimited_field field;
      if (!rest.next(field)) break;  // a space at the end of the line is no delimiter
      const field_problem found = convert_field(i, field, value, symbol, into);
      if (found.fault != row_fault::none) {
        problem.fault = found.fault;
        problem.what = layout_.column(i) + ": " + found.what;
        return nullptr;
      }
      more = rest.more();
      at = rest.place();
    }
    if (is_number || layout_.uses[i] == column_use::symbol) ++value;
    if (layout_.uses[i] == column_use::symbol) ++symbol;
    if (more != (i + 1 < fields)) break;
    if (!more) {
      // Only the end of the line is left.
      if (at != end && *at == '\r') ++at;
      return at == end ? at : at + 1;
    }
  }
  if (line_end == nullptr) line_end = line_begin + find_byte(between(line_begin, end), '\n');
  problem.fault = row_fault::field_count;
  problem.what = wrong_number_of_fields(between(line_begin, line_end));
  return nullptr;
}

/// Stores the field's value or label, or returns the problem of the field.
template <class T>
field_problem row_converter<T>::convert_field(std::size_t index, const delimited_field& field,
                                              std::uint64_t value, std::uint64_t symbol,
                                              converted_rows<T>& into) const {
  if (field.malformed) {
    return {row_fault::quote,
            "the quote before " + shown(field.text) + " is not closed where the field ends"};
  }
  T* const place = into.values + into.rows * columns_ + value;
  switch (layout_.uses[index]) {
    case column_use::none:
      return {};
    case column_use::number:
      return convert_number(field, value, into);
    case column_use::label:
      if (is_missing(field.text)) return {row_fault::missing, "the label is missing"};
      into.labels[into.rows] = field.has_doubled_quotes ? into.classes.number_of(field.unquoted())
                                                        : into.classes.number_of(field.text);
      return {};
    case column_use::symbol:
      break;
  }
  if (is_missing(field.text)) return {row_fault::missing, "the value is missing"};
  if (known_.empty()) {
    if (into.symbols.size() <= symbol) into.symbols.resize(symbol + 1);
    *place = static_cast<T>(into.symbols[symbol].number_of(field.unquoted()));
    return {};
  }
  const auto known = known_[symbol].find(field.unquoted());
  if (known == known_[symbol].end()) {
    return {row_fault::unknown_text, shown(field.text) + " is not among the column's known texts"};
  }
  *place = static_cast<T>(known->second);
  return {};
}

template <class T>
field_problem row_converter<T>::convert_number(const delimited_field& field, std::uint64_t column,
                                               converted_rows<T>& into) const {
  const decimal<T> number = whole_decimal<T>(field.text);
  T& value = into.values[into.rows * columns_ + column];
  value = number.value;
  const bool is_nan = options_.allow_non_finite && number.status == decimal_status::number;
  if (!is_nan && is_missing(field.text)) return {row_fault::missing, "the value is missing"};
  if (number.status == decimal_status::none) return not_a_number(field.text);
  if (std::string problem = number_problem(number, field.text, options_.allow_non_finite); !problem.empty())
    return {row_fault::out_of_range, std::move(problem)};
  if constexpr (std::is_same_v<T, float>) into.watch.add(column, whole_decimal<double>(field.text).value);
  return {};
}

template <class T>
std::string row_converter<T>::wrong_number_of_fields(byte_view line) const {
  std::uint64_t count = 0;
  delimited_line rest(line, layout_.delimiter);
  for (delimited_field field; rest.next(field);) ++count;
  return std::to_string(count) + (count == 1 ? " field" : " fields") + ", and " +
         (layout_.names.empty() ? "the first line has " : "the header has ") +
         std::to_string(layout_.uses.size());
}

template class row_converter<float>;
template class row_converter<double>;

}  // namespace duomap
