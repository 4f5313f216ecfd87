// Writes the normal form of pages, clients and agents. Entries of all log formats are compared in this form.
#pragma once

#include "apps/tasks/weblog/log_client.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/compare.hpp"
#include "core/text/copy.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/load.hpp"

#include <cstdint>
#include <cstring>

namespace duomap::apps {

/// Writes a key of limited size. If a text does not fit, it is left out, and fits() is false from then on.
class key_writer {
 public:
  DUOMAP_HD key_writer(char* to, std::uint64_t most) : to_(to), most_(most) {}

  DUOMAP_HD void put(char c) {
    if (size_ == most_) {
      fits_ = false;
    } else {
      to_[size_++] = c;
    }
  }
  DUOMAP_HD void put(byte_view text) {
    if (text.size > most_ - size_) {
      fits_ = false;
      return;
    }
#if defined(__CUDA_ARCH__)
    copy(to_ + size_, text);
#else
    memcpy(to_ + size_, text.data, text.size);
#endif
    size_ += text.size;
  }
  /// Removes all bytes behind the first `size`.
  DUOMAP_HD void cut(std::uint64_t size) { size_ = size; }

  [[nodiscard]] DUOMAP_HD char operator[](std::uint64_t at) const { return to_[at]; }
  [[nodiscard]] DUOMAP_HD std::uint64_t size() const { return size_; }
  [[nodiscard]] DUOMAP_HD bool fits() const { return fits_; }
  [[nodiscard]] DUOMAP_HD byte_view written() const { return {to_, size_}; }

 private:
  char* to_;
  std::uint64_t most_;
  std::uint64_t size_ = 0;
  bool fits_ = true;
};

namespace detail {

/// Reads the bytes of a value. If `escaped`, it undoes the log's escapes (Apache: \" \\ \n and so on, and
/// \xhh; nginx: \xHH).
class value_reader {
 public:
  DUOMAP_HD value_reader(byte_view text, bool escaped) : text_(text), escaped_(escaped) {}

  [[nodiscard]] DUOMAP_HD bool done() const { return at_ >= text_.size; }
  [[nodiscard]] DUOMAP_HD char next() {
    const char c = text_[at_++];
    if (c != '\\' || !escaped_ || at_ == text_.size) return c;
    const char what = text_[at_];
    if (what == 'x' && at_ + 2 < text_.size) {
      const unsigned byte = hex_value(text_[at_ + 1]) << 4 | hex_value(text_[at_ + 2]);
      if (hex_value(text_[at_ + 1]) > 15 || hex_value(text_[at_ + 2]) > 15) return c;
      at_ += 3;
      return static_cast<char>(byte);
    }
    const char plain = what == '"' || what == '\\' ? what
                       : what == 'n'               ? '\n'
                       : what == 'r'               ? '\r'
                       : what == 't'               ? '\t'
                       : what == 'b'               ? '\b'
                       : what == 'f'               ? '\f'
                       : what == 'v'               ? '\v'
                                                   : '\0';
    if (plain == '\0') return c;
    ++at_;
    return plain;
  }

 private:
  byte_view text_;
  std::uint64_t at_ = 0;
  bool escaped_;
};

/// The number of bytes of the scheme of a URL, before "://"; 0 if the URL has no scheme.
[[nodiscard]] DUOMAP_HD inline std::uint64_t scheme_bytes(byte_view url) {
  std::uint64_t at = 0;
  while (at < url.size && (is_letter(url[at]) || (at > 0 && (is_digit(url[at]) || url[at] == '+' ||
                                                             url[at] == '-' || url[at] == '.'))))
    ++at;
  return at > 0 && at + 2 < url.size && url[at] == ':' && url[at + 1] == '/' && url[at + 2] == '/' ? at : 0;
}

/// Whether a page is certainly in normal form already: a path without %, \, control characters and segments
/// that begin with a dot.
[[nodiscard]] DUOMAP_HD inline bool is_normal_page(byte_view url) {
  if (url.empty() || url[0] != '/') return false;
#if defined(__CUDA_ARCH__)
  // On a GPU a thread reads eight bytes at once. Spaces fill the last word.
  constexpr std::uint64_t ones = duomap::detail::each_byte;
  const auto has_zero = [](std::uint64_t word) {
    return (word - ones) & ~word;
  };
  std::uint64_t odd = 0;
  char before = ' ';
  for (std::uint64_t at = 0; at < url.size; at += 8) {
    const auto bytes = static_cast<unsigned>(url.size - at < 8 ? url.size - at : 8);
    const std::uint64_t word =
        bytes == 8 ? load_eight(url.data + at) : load_some(url.data + at, bytes) | ones * ' ' << 8 * bytes;
    const std::uint64_t behind = word << 8 | static_cast<unsigned char>(before);
    before = static_cast<char>(word >> 56);
    odd |= has_zero(word ^ ones * '%') | has_zero(word ^ ones * '\\') | has_zero(word ^ ones * 0x7F) |
           ((word - ones * 0x20) & ~word) | has_zero((behind ^ ones * '/') | (word ^ ones * '.'));
  }
  return (odd & ones * 0x80) == 0;
#else
  // Compilers make vector instructions of blocks of a fixed size. The last two blocks may overlap.
  constexpr std::uint64_t block = 16;
  unsigned char odd[block] = {};
  const auto look_at = [&odd](const char* text, std::uint64_t size) {
    const char* const before = text - 1;
    for (std::uint64_t i = 0; i < size; ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      const bool is_odd =
          (c == '%') | (c == '\\') | (c < 0x20) | (c == 0x7F) | ((c == '.') & (before[i] == '/'));
      odd[i] = static_cast<unsigned char>(odd[i] | (is_odd ? 1 : 0));
    }
  };
  if (url.size <= block) {
    look_at(url.data + 1, url.size - 1);
  } else {
    for (std::uint64_t at = 1; at + block < url.size; at += block) look_at(url.data + at, block);
    look_at(url.data + url.size - block, block);
  }
  unsigned any = 0;
  for (const unsigned char one : odd) any |= one;
  return any == 0;
#endif
}

DUOMAP_HD inline void put_percent(unsigned byte, key_writer& to) {
  to.put('%');
  to.put(hex_digit(byte >> 4));
  to.put(hex_digit(byte & 15));
}

/// Writes the byte of a URL that begins with `c`. The byte stands there as itself or as %HH; `from` is behind
/// `c`. Returns the byte if it writes the byte as itself, and 0 if it writes %HH.
DUOMAP_HD inline char put_url_byte(char c, value_reader& from, key_writer& to) {
  const auto code = static_cast<unsigned char>(c);
  if (code < 0x20 || code == 0x7F) {
    put_percent(code, to);
    return '\0';
  }
  if (c == '%') {
    value_reader ahead = from;
    const unsigned high = ahead.done() ? 16 : hex_value(ahead.next());
    const unsigned low = ahead.done() ? 16 : hex_value(ahead.next());
    if (high < 16 && low < 16) {
      from = ahead;
      const auto byte = static_cast<char>(high << 4 | low);
      // The unreserved characters of RFC 3986, section 2.3, are never escaped.
      if (is_letter(byte) || is_digit(byte) || byte == '-' || byte == '.' || byte == '_' || byte == '~') {
        to.put(byte);
        return byte;
      }
      put_percent(high << 4 | low, to);
      return '\0';
    }
  }
  to.put(c);
  return c;
}

/// Removes the segment at `segment` if it is . or .., and for .. also the segment before, but nothing before
/// `root`. Returns whether it removed a segment.
DUOMAP_HD inline bool take_back_dots(std::uint64_t root, std::uint64_t& segment, key_writer& to) {
  const std::uint64_t bytes = to.size() - segment;
  if (bytes == 0 || bytes > 2 || to[segment] != '.' || to[to.size() - 1] != '.') return false;
  if (bytes == 2 && segment > root + 1) {
    --segment;
    while (to[segment - 1] != '/') --segment;
  }
  to.cut(segment);
  return true;
}

/// Writes scheme and host in lower case, without a port that is the scheme's default.
DUOMAP_HD inline void put_origin(byte_view scheme, value_reader& from, key_writer& to, char& next) {
  const std::uint64_t begin = to.size();
  for (std::uint64_t i = 0; i < scheme.size; ++i) to.put(to_lower(scheme[i]));
  const byte_view name{to.written().data + begin, to.size() - begin};
  constexpr char https[] = {'h', 't', 't', 'p', 's'};
  const bool is_http = (name.size == 4 || name.size == 5) && equal_bytes(name.data, https, name.size);
  const char* const default_port = !is_http ? "" : name.size == 4 ? "80" : "443";
  for (unsigned i = 0; i < 3; ++i) to.put(from.next());
  value_reader ahead = from;
  bool in_user = false;  // before an @, where case matters
  for (char c = '\0'; !ahead.done() && c != '/' && c != '?' && c != '#';) {
    c = ahead.next();
    if (c == '@') in_user = true;
  }
  std::uint64_t port = 0;
  next = '\0';
  while (!from.done()) {
    const char c = from.next();
    if (c == '/' || c == '?' || c == '#') {
      next = c;
      break;
    }
    put_url_byte(in_user ? c : to_lower(c), from, to);
    if (c == ':') port = to.size();
    if (c == ']' || c == '@') port = 0;
    if (c == '@') in_user = false;
  }
  if (port == 0 || !to.fits()) return;
  std::uint64_t same = port;
  const char* digit = default_port;
  while (same < to.size() && *digit != '\0' && to[same] == *digit) ++same, ++digit;
  if (to.size() == port || (same == to.size() && *digit == '\0')) to.cut(port - 1);
}

}  // namespace detail

/// Writes a page. Undoes the escapes of the log, then normalises by RFC 3986, section 6.2.2, and for http
/// also the port and an empty path (6.2.3): %7e is ~, %2f is %2F, /a/./b/../c is /a/c, HTTP://Host:80 is
/// http://host/. A control character becomes %HH, so a page has no line end.
DUOMAP_HD inline void write_page(byte_view url, bool escaped, key_writer& to) {
  if (detail::is_normal_page(url)) {
    to.put(url);
    return;
  }
  detail::value_reader from(url, escaped);
  char next = '\0';  // the last byte that was read, if it is not yet written
  if (const std::uint64_t scheme = detail::scheme_bytes(url); scheme > 0) {
    for (std::uint64_t i = 0; i < scheme; ++i) static_cast<void>(from.next());
    detail::put_origin(url.sub(0, scheme), from, to, next);
    if (next != '/') to.put('/');
  } else if (!from.done()) {
    next = from.next();
  }
  if (next == '/') {
    const std::uint64_t root = to.size();
    to.put('/');
    std::uint64_t segment = to.size();
    while (to.fits()) {
      const bool last = from.done();
      next = last ? '\0' : from.next();
      if (last || next == '/' || next == '?' || next == '#') {
        const bool taken = detail::take_back_dots(root, segment, to);
        if (last || next != '/') break;
        if (!taken) to.put('/');
        segment = to.size();
        continue;
      }
      detail::put_url_byte(next, from, to);
      next = '\0';
    }
    if (from.done() && next == '\0') return;
  }
  if (next != '\0') detail::put_url_byte(next, from, to);
  while (!from.done() && to.fits()) {
    const char c = from.next();
    detail::put_url_byte(c, from, to);
  }
}

/// Writes an agent without the escapes of the log.
DUOMAP_HD inline void write_agent(byte_view agent, bool escaped, key_writer& to) {
  if (!escaped || find_byte(agent, '\\') == agent.size) {
    to.put(agent);
    return;
  }
  detail::value_reader from(agent, escaped);
  while (!from.done() && to.fits()) to.put(from.next());
}

/// Writes a client: an IPv6 address by RFC 5952, or as an IPv4 address if it stands for one; a name in lower
/// case without a dot at the end.
DUOMAP_HD inline void write_client(const log_client& client, key_writer& to) {
  const byte_view text = client.text;
  if (client.form == client_form::ipv4) {
    to.put(text);
    return;
  }
  if (client.form == client_form::name) {
    const std::uint64_t size = text.size - (text.size > 1 && text[text.size - 1] == '.' ? 1 : 0);
    for (std::uint64_t i = 0; i < size; ++i) to.put(detail::to_lower(text[i]));
    return;
  }
  const std::uint64_t zone = find_byte(text, '%');
  detail::ipv6_groups groups;
  if (!detail::read_ipv6(text.sub(0, zone), groups)) return;
  if (groups.is_mapped() && zone == text.size) {
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned byte = groups.at[6 + i / 2] >> (i % 2 == 0 ? 8 : 0) & 0xFF;
      if (i > 0) to.put('.');
      if (byte >= 100) to.put(static_cast<char>('0' + byte / 100));
      if (byte >= 10) to.put(static_cast<char>('0' + byte / 10 % 10));
      to.put(static_cast<char>('0' + byte % 10));
    }
    return;
  }
  detail::put_ipv6(groups, [&to](char c) { to.put(c); });
  to.put(text.sub(zone, text.size - zone));
}

}  // namespace duomap::apps
