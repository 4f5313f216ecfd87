// Recognises the client in a log, which is an address or a host name, by its form.
#pragma once

#include "apps/tasks/table/ip_address.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/find_byte.hpp"

#include <cstdint>

namespace duomap::apps {

enum class client_form : std::uint8_t {
  none,  ///< neither an address nor a host name
  ipv4,
  ipv6,  ///< may have a zone: fe80::1%eth0
  name,
};

/// A client without brackets and port; a view into the word of the log.
struct log_client {
  byte_view text;
  client_form form = client_form::none;
};

/// Which element of a list, such as X-Forwarded-For, is the client. The outermost proxy adds the first
/// element.
struct client_choice {
  std::int32_t which = 0;  ///< from 1 on; from -1 on counted from the end; 0: a list is no client
};

namespace detail {

/// Whether `text` ends at `at`, or goes on only with a colon and the number of a port.
[[nodiscard]] DUOMAP_HD inline bool is_port_or_nothing(byte_view text, std::uint64_t at) {
  if (at == text.size) return true;
  if (text[at] != ':' || text.size - at < 2 || text.size - at > 6) return false;
  for (++at; at < text.size; ++at) {
    if (!is_digit(text[at])) return false;
  }
  return true;
}

/// Whether `text` is an IPv6 address. It may have a zone (RFC 4007).
[[nodiscard]] DUOMAP_HD inline bool is_ipv6(byte_view text) {
  const std::uint64_t zone = find_byte(text, '%');
  for (std::uint64_t i = zone + 1; i < text.size; ++i) {
    const char c = text[i];
    if (!is_letter(c) && !is_digit(c) && c != '.' && c != '_' && c != '-' && c != '~') return false;
  }
  ipv6_groups ignored;
  return zone + 1 != text.size && read_ipv6(text.sub(0, zone), ignored);
}

/// The number of bytes of the host name at the beginning of a text; 0 if there is none. A host name has
/// labels of letters, digits, - and _, with dots between them. It may end with a dot. The last label is no
/// number (RFC 1123, section 2.1).
[[nodiscard]] DUOMAP_HD inline std::uint64_t host_name_bytes(byte_view text) {
  std::uint64_t at = 0;
  std::uint64_t label = 0;
  bool number = true;        // whether the present label is a number
  bool last_number = false;  // whether the previous label is a number
  for (; at < text.size; ++at) {
    const char c = text[at];
    if (is_letter(c) || c == '_') {
      number = false;
    } else if (c == '-') {
      if (at == label) return 0;
      number = false;
    } else if (c == '.') {
      if (at == label) return 0;
      label = at + 1;
      last_number = number;
      number = true;
    } else if (!is_digit(c)) {
      break;
    }
  }
  const bool is_number = at == label ? last_number : number;
  return at == 0 || at > 254 || is_number ? 0 : at;
}

}  // namespace detail

/// The client in a word: an address, perhaps in brackets, or a host name. A port may follow behind a colon;
/// an IPv6 address needs brackets for that. "unix:" counts as a name, because nginx writes it for clients of
/// a socket.
[[nodiscard]] DUOMAP_HD inline log_client client_in(byte_view word) {
  if (word.empty()) return {};
  if (detail::is_digit(word[0])) {
    const std::uint64_t ipv4 = detail::ipv4_bytes(word);
    if (ipv4 > 0 && detail::is_port_or_nothing(word, ipv4)) return {word.sub(0, ipv4), client_form::ipv4};
  }
  if (word[0] == '[') {
    const std::uint64_t close = find_byte(word, ']');
    if (close == word.size || !detail::is_port_or_nothing(word, close + 1)) return {};
    const byte_view inside = word.sub(1, close - 1);
    if (close > 1 && detail::ipv4_bytes(inside) == inside.size) return {inside, client_form::ipv4};
    return detail::is_ipv6(inside) ? log_client{inside, client_form::ipv6} : log_client{};
  }
  const std::uint64_t name = detail::host_name_bytes(word);
  if (name > 0 && detail::is_port_or_nothing(word, name)) return {word.sub(0, name), client_form::name};
  if (detail::is_ipv6(word)) return {word, client_form::ipv6};
  if (name == 4 && word.size == 5 && word[0] == 'u' && word[1] == 'n' && word[2] == 'i' && word[3] == 'x' &&
      word[4] == ':')
    return {word, client_form::name};
  return {};
}

[[nodiscard]] DUOMAP_HD inline bool is_address(const log_client& one) {
  return one.form == client_form::ipv4 || one.form == client_form::ipv6;
}

/// Whether people would take the word for a client: an address, or a name with a dot.
[[nodiscard]] DUOMAP_HD inline bool looks_like_client(const log_client& one) {
  return is_address(one) || (one.form == client_form::name && find_byte(one.text, '.') + 1 < one.text.size);
}

/// Finds the client in its field, which may be a list with commas. Each element of a list must be a client.
/// `choice` says which element counts. If the list is too short, its element nearest to the choice counts.
[[nodiscard]] DUOMAP_HD inline log_client client_in_list(byte_view field, client_choice choice) {
  const auto is_blank = [](char c) {
    return c == ' ' || c == '\t' || c == '+';  // W3C's format writes + for a space
  };
  std::int32_t count = 0;
  for (unsigned pass = 0; pass < 2; ++pass) {
    std::int32_t wanted = choice.which > 0 ? choice.which : count + 1 + choice.which;
    if (pass == 1) wanted = wanted < 1 ? 1 : wanted > count ? count : wanted;
    std::int32_t number = 0;
    for (std::uint64_t at = 0; at <= field.size;) {
      const std::uint64_t comma = find_byte(field, ',', at);
      std::uint64_t end = comma;
      while (at < end && is_blank(field[at])) ++at;
      while (end > at && is_blank(field[end - 1])) --end;
      ++number;
      if (pass == 0 || number == wanted) {
        const log_client one = client_in(field.sub(at, end - at));
        if (pass == 1 || one.form == client_form::none) return one;
      }
      at = comma + 1;
    }
    count = number;
  }
  return {};
}

}  // namespace duomap::apps
