// Reads one HTML tag: where it ends, and what its href attribute says.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/load.hpp"

#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// What became of reading a tag.
enum class tag_end : std::uint8_t {
  found,    ///< it is a tag
  not_one,  ///< it is text: the source ends in it, or a quote closes too late or never
  cut,      ///< the bytes end, behind a '<', within a quoted value: more bytes are needed to tell
};

/// A tag, or what was taken for one.
struct tag {
  tag_end result = tag_end::not_one;
  /// Behind its '>', or at the '<' that ends it. If it is no tag, or cut: how many bytes that rests on.
  std::uint64_t end = 0;
  byte_view href = {};         ///< the value of the first attribute of that name, as it stands
  bool has_href = false;       ///< whether that has a value
  bool closes_itself = false;  ///< whether it ends with "/>"
};

/// A tag that holds a '<', in a quoted value, ends within so many bytes, or is text: a quote that somebody
/// forgot costs no more than that, and no cut asks for more.
inline constexpr std::uint64_t most_bytes_across = 16384;

/// HTML's white space (HTML Living Standard, 13.2.5.32).
[[nodiscard]] DUOMAP_HD constexpr bool is_html_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/// A text of up to 7 bytes as load_some() gives them. Maps compare with these and not with literals, which
/// stand in a GPU's memory side by side with others and must not be read by the word (core/text/load.hpp).
[[nodiscard]] consteval std::uint64_t word_of(std::string_view text) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  return word;
}

/// Whether `text` begins with a tag's name of `size` bytes (lower case), in any case, and what may stand
/// behind a name.
[[nodiscard]] DUOMAP_HD inline bool is_tag_name(byte_view text, std::uint64_t name, unsigned size) {
  if (text.size <= size || to_lower_ascii(load_some(text.data, size)) != name) return false;
  const char next = text[size];
  return is_html_space(next) || next == '/' || next == '>';
}

/// What a tag is read from: the bytes behind its '<', up to the end of the source or behind some other '<'.
struct tag_bytes {
  byte_view bytes;
  std::uint64_t next;  ///< where the first '<' of them stands; their number if there is none
};

namespace detail {

/// Finds the quote that closes what was opened before `at`: at `end`, if it is found.
[[nodiscard]] DUOMAP_HD inline tag closing_quote(const tag_bytes& in, std::uint64_t at, char quote) {
  const std::uint64_t size = in.bytes.size;
  if (at < in.next) {
    const std::uint64_t place = find_byte(in.bytes.sub(0, in.next), quote, at);
    if (place < in.next) return {.result = tag_end::found, .end = place};
  }
  if (in.next == size) return {.end = size};
  const std::uint64_t most = size < most_bytes_across ? size : most_bytes_across;
  const std::uint64_t place = find_far_byte(in.bytes.sub(0, most), quote, at < in.next ? in.next : at);
  if (place < most) return {.result = tag_end::found, .end = place};
  const bool more_may_follow = most == size && in.bytes[size - 1] == '<';
  return {.result = more_may_follow ? tag_end::cut : tag_end::not_one, .end = most};
}

}  // namespace detail

/// Reads the attributes of a tag up to its end; `at` is behind its name, or behind one of its attributes.
/// Follows Python's html.parser, and so browsers, but for two rules that keep what follows a mistake: outside
/// quotes a '<' ends the tag, and most_bytes_across.
[[nodiscard]] DUOMAP_HD inline tag read_attributes(const tag_bytes& in, std::uint64_t at) {
  const byte_view bytes = in.bytes;
  std::uint64_t size = bytes.size;
  tag found;
  bool seen_href = false;  // the first one counts, also without a value
  while (true) {
    if (at > in.next && size > most_bytes_across) size = most_bytes_across;
    bool after_slash = false;
    for (; at < size && (is_html_space(bytes[at]) || bytes[at] == '/'); ++at) after_slash = bytes[at] == '/';
    if (at >= size) return {.end = size};
    if (bytes[at] == '>' || bytes[at] == '<') {
      found.result = tag_end::found;
      found.closes_itself = after_slash && bytes[at] == '>';
      found.end = bytes[at] == '>' ? at + 1 : at;
      return found;
    }

    const std::uint64_t name = at++;
    while (at < size && !is_html_space(bytes[at]) && bytes[at] != '/' && bytes[at] != '=' &&
           bytes[at] != '>' && bytes[at] != '<') {
      ++at;
    }
    const std::uint64_t name_size = at - name;
    const bool first_href =
        !seen_href && name_size == 4 && to_lower_ascii(load_some(bytes.data + name, 4)) == word_of("href");
    seen_href = seen_href || first_href;
    while (at < size && is_html_space(bytes[at])) ++at;
    if (at == size || bytes[at] != '=') continue;
    while (at < size && bytes[at] == '=') ++at;
    while (at < size && is_html_space(bytes[at])) ++at;
    if (at == size) return {.end = size};

    byte_view value;
    if (bytes[at] == '"' || bytes[at] == '\'') {
      const tag quote = detail::closing_quote(in, at + 1, bytes[at]);
      if (quote.result != tag_end::found) return quote;
      value = bytes.sub(at + 1, quote.end - (at + 1));
      at = quote.end + 1;
    } else {
      const std::uint64_t begin = at;
      while (at < size && !is_html_space(bytes[at]) && bytes[at] != '>' && bytes[at] != '<') ++at;
      value = bytes.sub(begin, at - begin);
    }
    if (first_href) {
      found.has_href = true;
      found.href = value;
    }
  }
}

/// Reads a start tag from behind its '<'.
[[nodiscard]] DUOMAP_HD inline tag read_tag(const tag_bytes& in) {
  std::uint64_t at = 0;
  while (at < in.bytes.size && !is_html_space(in.bytes[at]) && in.bytes[at] != '/' && in.bytes[at] != '>' &&
         in.bytes[at] != '<') {
    ++at;
  }
  return read_attributes(in, at);
}

/// What matters about a tag's name.
enum class tag_name : std::uint8_t { other, links, script, style };

/// The name of the start tag that begins with `text`, if it is one.
[[nodiscard]] DUOMAP_HD inline tag_name name_of_tag(byte_view text) {
  const char first = text.empty() ? '\0' : to_lower_ascii(text[0]);
  if (first == 'a' && (is_tag_name(text, word_of("a"), 1) || is_tag_name(text, word_of("area"), 4)))
    return tag_name::links;
  if (first == 's' && is_tag_name(text, word_of("script"), 6)) return tag_name::script;
  if (first == 's' && is_tag_name(text, word_of("style"), 5)) return tag_name::style;
  return tag_name::other;
}

}  // namespace duomap::apps
