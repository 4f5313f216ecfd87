// Recognises the names of HTML tags that matter to links.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/load.hpp"

#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// HTML's white space (HTML Living Standard, 13.2.5.32).
[[nodiscard]] DUOMAP_HD constexpr bool is_html_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

[[nodiscard]] DUOMAP_HD constexpr bool is_ascii_letter(char c) {
  const char small = to_lower_ascii(c);
  return small >= 'a' && small <= 'z';
}

/// A text of up to 15 bytes, in the form of load_eight() and load_some(). Code for GPUs compares with such
/// words and not with literals, because a literal must not be read eight bytes at a time
/// (core/text/load.hpp).
struct text_words {
  std::uint64_t low;
  std::uint64_t high;
  unsigned size;
};

[[nodiscard]] consteval text_words words_of(std::string_view text) {
  text_words words{0, 0, static_cast<unsigned>(text.size())};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint64_t byte = static_cast<unsigned char>(text[i]);
    (i < 8 ? words.low : words.high) |= byte << (8 * (i % 8));
  }
  return words;
}

/// The role of a tag's name. Behind a start tag from `plaintext` on no tags begin until the end tag of the
/// same name; behind `plaintext` none begin any more.
enum class tag_name : std::uint8_t {
  other,
  links,  ///< a or area
  plaintext,
  script,
  style,
  xmp,
  iframe,
  noembed,
  noframes,
  title,
  textarea,
};

[[nodiscard]] DUOMAP_HD constexpr bool hides_tags(tag_name name) { return name >= tag_name::plaintext; }

/// Whether `text` begins with the tag name `name`, given in lower case, in any case. The name must end there.
[[nodiscard]] DUOMAP_HD inline bool begins_with_name(byte_view text, text_words name) {
  if (text.size <= name.size) return false;
  const char next = text[name.size];
  if (!is_html_space(next) && next != '/' && next != '>') return false;
  if (name.size < 8) return to_lower_ascii(load_some(text.data, name.size)) == name.low;
  return to_lower_ascii(load_eight(text.data)) == name.low &&
         to_lower_ascii(load_some(text.data + 8, name.size - 8)) == name.high;
}

/// The role of the tag name at the beginning of `text`. `text` goes up to the next '<'.
[[nodiscard]] DUOMAP_HD inline tag_name name_of_tag(byte_view text) {
  const auto is = [text](text_words name) {
    return begins_with_name(text, name);
  };
  switch (text.empty() ? '\0' : to_lower_ascii(text[0])) {
    case 'a':
      return is(words_of("a")) || is(words_of("area")) ? tag_name::links : tag_name::other;
    case 'i':
      return is(words_of("iframe")) ? tag_name::iframe : tag_name::other;
    case 'n':
      if (is(words_of("noembed"))) return tag_name::noembed;
      return is(words_of("noframes")) ? tag_name::noframes : tag_name::other;
    case 'p':
      return is(words_of("plaintext")) ? tag_name::plaintext : tag_name::other;
    case 's':
      if (is(words_of("script"))) return tag_name::script;
      return is(words_of("style")) ? tag_name::style : tag_name::other;
    case 't':
      if (is(words_of("title"))) return tag_name::title;
      return is(words_of("textarea")) ? tag_name::textarea : tag_name::other;
    case 'x':
      return is(words_of("xmp")) ? tag_name::xmp : tag_name::other;
    default:
      return tag_name::other;
  }
}

}  // namespace duomap::apps
