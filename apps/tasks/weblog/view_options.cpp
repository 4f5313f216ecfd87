// Parses statuses, methods and choices of clients.
#include "apps/tasks/weblog/view_options.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace duomap::apps {

void add_statuses(view_choice& choice, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto digit = [&](std::size_t i) {
      return name[i] >= '0' && name[i] <= '9';
    };
    const bool whole_class = name.size() == 3 && digit(0) && name.substr(1) == "xx";
    if (!whole_class && !(name.size() == 3 && digit(0) && digit(1) && digit(2))) {
      throw usage_error("--status takes numbers of three digits or classes such as 2xx, not '" + name + "'");
    }
    const unsigned first =
        whole_class ? static_cast<unsigned>(name[0] - '0') * 100 : static_cast<unsigned>(std::stoul(name));
    for (unsigned status = first; status < first + (whole_class ? 100 : 1); ++status)
      choice.add_status(status);
  }
}

void add_methods(view_choice& choice, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.empty() || name.size() > view_choice::method_bytes) {
      throw usage_error("--method takes names of 1 to " + std::to_string(view_choice::method_bytes) +
                        " bytes, not '" + name + "'");
    }
    if (choice.method_count == view_choice::most_methods) {
      throw usage_error("--method takes up to " + std::to_string(view_choice::most_methods) +
                        " methods, and '" + name + "' is one more");
    }
    std::string capitals = name;
    std::ranges::transform(capitals, capitals.begin(), [](char c) {
      return static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    });
    // The methods of RFC 9110, section 9.1, and of RFC 5789.
    constexpr std::array<std::string_view, 9> methods{"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                      "CONNECT", "OPTIONS", "TRACE", "PATCH"};
    if (name != capitals && std::ranges::find(methods, capitals) != methods.end()) {
      throw usage_error("--method '" + name + "' would match no request: case matters, and logs have " +
                        capitals + "; give --method " + capitals);
    }
    view_choice::method_name& added = choice.methods[choice.method_count++];
    added.size = static_cast<std::uint8_t>(name.size());
    std::ranges::copy(name, added.text);
  }
}

client_choice client_choice_called(const std::string& text) {
  if (text == "first") return {1};
  if (text == "last") return {-1};
  std::int32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number == 0 || number < -999 ||
      number > 999)
    throw usage_error(
        "--forwarded takes first, last, or the number of an address from 1 to 999, from -1 backwards, not '" +
        text + "'");
  return {number};
}

}  // namespace duomap::apps
