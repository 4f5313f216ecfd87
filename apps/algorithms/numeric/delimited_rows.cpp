#include "apps/algorithms/numeric/delimited_rows.hpp"

#include "apps/algorithms/numeric/decimal.hpp"
#include "apps/algorithms/numeric/odd_number.hpp"
#include "apps/algorithms/numeric/shown_text.hpp"
#include "core/text/find_byte.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <type_traits>

namespace duomap {
namespace {

template <class T>
constexpr const char* type_name = std::is_same_v<T, float> ? "float32" : "float64";

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

/// Reads the field at `at` if it is a finite number without quotes, as nearly all are; then `at` is where the
/// next field begins, if there are `more`, or the line's end. Else nothing changes.
template <class T>
bool read_plain_number(const char*& at, const char* end, char delimiter, T& value, bool& more) {
  T number;
  const auto [stop, error] = std::from_chars(at, end, number);
  if (error != std::errc() || !std::isfinite(number)) return false;
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

/// Where the next line begins; null when the row does not fit. Numbers are converted where they are found;
/// whatever else a field may be is left to delimited_line.
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
    const bool is_number = layout_.uses[i] == column_use::number;
    if (!is_number || !read_plain_number(at, end, delimiter, values[value], more)) {
      if (line_end == nullptr) line_end = at + find_byte(between(at, end), '\n');
      delimited_line rest(between(at, line_end), delimiter);
      delimited_field field;
      if (!rest.next(field)) break;  // a space as the last delimiter is none
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
      // What is left of the line is its end.
      if (at != end && *at == '\r') ++at;
      return at == end ? at : at + 1;
    }
  }
  if (line_end == nullptr) line_end = line_begin + find_byte(between(line_begin, end), '\n');
  problem.fault = row_fault::field_count;
  problem.what = wrong_number_of_fields(between(line_begin, line_end));
  return nullptr;
}

/// Puts the field where it belongs; says what is wrong with it, else nothing.
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
      return convert_number(field, *place);
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
field_problem row_converter<T>::convert_number(const delimited_field& field, T& value) const {
  const decimal<T> number = whole_decimal<T>(field.text);
  value = number.value;
  const bool is_nan = options_.allow_non_finite && number.status == decimal_status::number;
  if (!is_nan && is_missing(field.text)) return {row_fault::missing, "the value is missing"};
  switch (number.status) {
    case decimal_status::none:
      return not_a_number(field.text);
    case decimal_status::too_large:
      return {row_fault::out_of_range, shown(field.text) + " is too large for " + type_name<T>};
    case decimal_status::number:
      break;
  }
  if (!std::isfinite(value) && !options_.allow_non_finite) {
    return {row_fault::out_of_range,
            shown(field.text) + " is " + (std::isnan(value) ? "no number" : "infinite")};
  }
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
