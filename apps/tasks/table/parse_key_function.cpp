// Reads the calls of functions that make keys.
#include "apps/tasks/table/parse_key_function.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "core/text/number.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace duomap::apps {
namespace {

struct named_function {
  std::string_view name;
  key_function_kind kind;
  std::string_view example;
};

constexpr std::array functions = {
    named_function{"year", key_function_kind::year, "year(time)"},
    named_function{"month", key_function_kind::month, "month(time)"},
    named_function{"day", key_function_kind::day, "day(time)"},
    named_function{"hour", key_function_kind::hour, "hour(time)"},
    named_function{"lower", key_function_kind::lower, "lower(city)"},
    named_function{"upper", key_function_kind::upper, "upper(city)"},
    named_function{"left", key_function_kind::left, "left(name, 3), with 1 to 256 characters"},
    named_function{"prefix", key_function_kind::prefix,
                   "prefix(ip, 24), or prefix(ip, 24, 48) with the bits of IPv4 and of IPv6"},
    named_function{"floor", key_function_kind::floor,
                   "floor(price, 0.5), with a decimal above 0 of at most 18 digits"},
};

std::string without_spaces(std::string_view text) { return std::string(trimmed(byte_view(text)).text()); }

// Takes the text behind the last comma off the arguments; nothing if there is no comma.
std::optional<std::string> take_last(std::string& arguments) {
  const std::size_t comma = arguments.rfind(',');
  if (comma == std::string::npos) return std::nullopt;
  std::string last = without_spaces(std::string_view(arguments).substr(comma + 1));
  arguments = without_spaces(std::string_view(arguments).substr(0, comma));
  return last;
}

std::optional<std::uint32_t> whole_number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const parsed<std::uint32_t> number = parse_integer<std::uint32_t>(byte_view(*text));
  if (!number.all_of(text->size())) return std::nullopt;
  return number.value;
}

bool read_prefix(std::string& arguments, key_function& into) {
  const std::optional<std::uint32_t> last = whole_number(take_last(arguments));
  if (!last || *last > 128) return false;
  std::string before = arguments;
  const std::optional<std::uint32_t> first = whole_number(take_last(before));
  if (first) {
    if (*first > 32) return false;
    arguments = before;
  }
  into.ipv4_bits = static_cast<unsigned char>(first.value_or(*last));
  into.ipv6_bits = static_cast<unsigned char>(*last);
  return true;
}

bool read_width(std::string& arguments, key_function& into) {
  const std::optional<std::string> width = take_last(arguments);
  if (!width) return false;
  const scaled_number fine = parse_scaled(byte_view(*width), 18);
  if (fine.status == scaled_status::no_number || fine.decimals > 18) return false;
  const scaled_number exact = parse_scaled(byte_view(*width), fine.decimals);
  if (exact.status != scaled_status::number || exact.value <= 0) return false;
  into.width = exact.value;
  into.scale = static_cast<unsigned char>(fine.decimals);
  return true;
}

// Takes the arguments behind the column's name off `arguments`. Returns false if they are wrong.
bool read_arguments(std::string& arguments, key_function& into) {
  if (into.kind == key_function_kind::prefix) return read_prefix(arguments, into);
  if (into.kind == key_function_kind::floor) return read_width(arguments, into);
  if (into.kind != key_function_kind::left) return true;
  const std::uint32_t characters = whole_number(take_last(arguments)).value_or(0);
  into.characters = static_cast<std::uint16_t>(characters);
  return characters >= 1 && characters <= 256;
}

}  // namespace

std::optional<key_call> parse_key_call(const std::string& text) {
  const std::string call = without_spaces(text);
  const std::size_t open = call.find('(');
  if (open == std::string::npos || !call.ends_with(')')) return std::nullopt;
  std::string name = without_spaces(std::string_view(call).substr(0, open));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto* const found = std::ranges::find(functions, name, &named_function::name);
  if (found == functions.end()) return std::nullopt;
  key_call made;
  made.function.kind = found->kind;
  made.column = without_spaces(std::string_view(call).substr(open + 1, call.size() - open - 2));
  if (!read_arguments(made.column, made.function) || made.column.empty())
    throw usage_error("the key " + duomap::quoted(text) + " is no call of " + name + "(); write it as " +
                      std::string(found->example));
  return made;
}

std::string column_of_key(const std::string& text) {
  const std::optional<key_call> call = parse_key_call(text);
  return call ? call->column : text;
}

std::string texts_of(const key_function& function) {
  if (function.kind == key_function_kind::prefix)
    return function.ipv4_bits > 32 ? "it reads IPv6 addresses; " + std::to_string(function.ipv4_bits) +
                                         " bits are more than an IPv4 address has"
                                   : "it reads IPv4 and IPv6 addresses, without ports and zones";
  if (function.kind == key_function_kind::floor)
    return "it reads numbers that 64 bits hold in units of 10^-" + std::to_string(function.scale);
  return "it reads dates like 2024-05-06 and 2024-05-06T07:08:09Z, and seconds since 1970; eight digits "
         "alone may be a date without its hyphens, and are refused";
}

std::string hint_of_calls(std::string_view text) {
  if (text.find('(') == std::string_view::npos || !text.ends_with(')')) return "";
  std::string names;
  for (const named_function& one : functions) {
    if (!names.empty()) names += &one == &functions.back() ? " and " : ", ";
    names += one.name;
  }
  return "; the functions of keys are " + names;
}

std::vector<std::string> join_calls(const std::vector<std::string>& pieces) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < pieces.size();) {
    std::string call = pieces[i];
    std::size_t next = i + 1;
    const auto open = [&call] {
      return std::ranges::count(call, '(') > std::ranges::count(call, ')');
    };
    while (open() && next < pieces.size()) call += "," + pieces[next++];
    if (open()) {
      call = pieces[i];
      next = i + 1;
    }
    joined.push_back(std::move(call));
    i = next;
  }
  return joined;
}

}  // namespace duomap::apps
