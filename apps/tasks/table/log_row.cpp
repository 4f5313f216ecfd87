// Takes the lines of logs apart by the parser of page views.
#include "apps/tasks/table/log_row.hpp"

#include "apps/tasks/weblog/log_line.hpp"
#include "apps/tasks/weblog/malformed_lines.hpp"

#include <algorithm>

namespace duomap::apps {
namespace {

/// Copies a time such as "10/Oct/2000:13:55:36 -0700" as ISO 8601. Another text stays as it is.
byte_view iso_time_of(byte_view time, char* iso_time) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  constexpr std::string_view form = "dd/mmm/yyyy:dd:dd:dd sdddd";
  if (time.size != form.size()) return time;
  for (std::uint64_t i = 0; i < time.size; ++i) {
    const char c = time[i];
    const bool fits = form[i] == 'd' || form[i] == 'y' ? c >= '0' && c <= '9'
                      : form[i] == 'm'                 ? true
                      : form[i] == 's'                 ? c == '+' || c == '-'
                                                       : c == form[i];
    if (!fits) return time;
  }
  const std::size_t month = months.find(time.sub(3, 3).text());
  if (month == std::string_view::npos || month % 3 != 0) return time;
  const std::size_t number = month / 3 + 1;
  char* to = iso_time;
  const auto put = [&](std::string_view text) {
    to = std::ranges::copy(text, to).out;
  };
  const std::string_view text = time.text();
  const char month_digits[2] = {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
  put(text.substr(7, 4));
  put("-");
  put({month_digits, 2});
  put("-");
  put(text.substr(0, 2));
  put("T");
  put(text.substr(12, 8));
  put(text.substr(21, 3));
  put(":");
  put(text.substr(24, 2));
  return {iso_time, iso_time_bytes};
}

byte_view present(byte_view field) { return field.size == 1 && field[0] == '-' ? field.sub(0, 0) : field; }

}  // namespace

std::optional<std::uint32_t> log_column_called(std::string_view name) {
  if (name == "host") return static_cast<std::uint32_t>(log_column::client);
  const auto at = std::ranges::find(log_column_names, name);
  if (at == log_column_names.end()) return std::nullopt;
  return static_cast<std::uint32_t>(at - log_column_names.begin());
}

log_row_kind read_log_row(byte_view line, log_host_place host, char* iso_time, log_fields& found) {
  byte_view text = line;
  if (text.size > 0 && text[text.size - 1] == '\r') --text.size;
  if (text.empty()) return log_row_kind::blank;
  const auto field = [&found](log_column one) -> byte_view& {
    return found.text[static_cast<std::size_t>(one)];
  };
  field(log_column::vhost) = {};
  if (host == log_host_place::front) {
    const std::uint64_t end = find_byte(text, ' ');
    const byte_view name = text.sub(0, end);
    found.fault = text_of(log_fault::fields);
    if (end == text.size || (client_in(name).form == client_form::none && name.text() != "-"))
      return log_row_kind::malformed;
    field(log_column::vhost) = present(name);
    text = text.sub(end + 1, text.size - end - 1);
  }
  log_entry entry;
  const log_line_kind kind = host == log_host_place::second
                                 ? parse_log_line<log_second_word::host>(text, entry)
                                 : parse_log_line(text, entry);
  found.fault = text_of(entry.fault);
  if (kind != log_line_kind::entry) return log_row_kind::malformed;
  const auto place_of = [&text](const char* at) {
    return static_cast<std::uint64_t>(at - text.data);
  };
  // The parser has seen that all these texts are there.
  const std::uint64_t second = detail::end_of_client(text) + 1;
  const std::uint64_t user = find_byte(text, ' ', second) + 1;
  const std::uint64_t time = place_of(entry.time.data);
  const std::uint64_t request = time + entry.time.size + 3;
  const std::uint64_t request_end = detail::find_closing_quote(text, request);
  const std::uint64_t status = request_end + 2;
  const std::uint64_t bytes_end = std::min(find_byte(text, ' ', status + 4), text.size);
  const byte_view second_word = present(text.sub(second, user - 1 - second));
  field(log_column::client) = entry.client.text;
  if (host == log_host_place::second) field(log_column::vhost) = second_word;
  field(log_column::identity) = host == log_host_place::second ? byte_view{} : second_word;
  field(log_column::user) = present(text.sub(user, time - 2 - user));
  field(log_column::time) = iso_time_of(entry.time, iso_time);
  field(log_column::request) = present(text.sub(request, request_end - request));
  field(log_column::method) = entry.method;
  field(log_column::url) = entry.url;
  const std::uint64_t path_end = find_byte(entry.url, '?');
  field(log_column::path) = entry.url.sub(0, path_end);
  const std::uint64_t query = std::min(path_end + 1, entry.url.size);
  field(log_column::query) = entry.url.sub(query, entry.url.size - query);
  field(log_column::protocol) = entry.protocol;
  field(log_column::status) = text.sub(status, 3);
  field(log_column::bytes) = present(text.sub(status + 4, bytes_end - status - 4));
  field(log_column::referer) = present(entry.referer);
  field(log_column::agent) = present(entry.agent);
  return log_row_kind::entry;
}

}  // namespace duomap::apps
