// Reads one HTML tag or declaration: finds its end and the value of its href attribute.
#pragma once

#include "apps/tasks/invertedindex/tag_name.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/find_byte.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/load.hpp"

#include <cstdint>

namespace duomap::apps {

/// The outcome of reading text behind a '<' as a tag.
enum class tag_end : std::uint8_t {
  found,          ///< a complete tag
  text,           ///< no tag: it holds a '<' and does not end within most_tag_bytes bytes
  end_of_source,  ///< no tag: it does not end before the source does; tags within it do not count
  cut,            ///< undecided: its bytes end with a '<', and more bytes are in the next chunk
};

/// A tag, or text that was taken for a tag.
struct tag {
  tag_end result = tag_end::text;
  std::uint64_t end = 0;  ///< behind its '>', or behind the bytes that were read
  byte_view href = {};    ///< the value of the first href attribute, as written
  bool has_href = false;
};

/// A tag that holds a '<' must end within this number of bytes, or it is text. The limit bounds the text that
/// a forgotten quote hides, and the bytes that complete a cut tag.
inline constexpr std::uint64_t most_tag_bytes = 16384;

/// The bytes behind a tag's '<'. They go up to the end of the source, or end with another '<'.
struct tag_bytes {
  byte_view bytes;
  std::uint64_t next;  ///< the index of the first '<' in `bytes`; their number if there is none
};

/// The part of a tag in which a byte stands. A byte behind a '<' inside a tag is in one of the first
/// `tag_states_at_cut` states. It is never in `between`, where any byte begins a name.
enum class tag_state : std::uint8_t {
  declaration,  ///< "<!", "<?" and "</" with no letter behind it: up to the first '>'
  name,
  attribute_name,
  unquoted,
  double_quoted,
  single_quoted,
  between,  ///< behind the name, or behind an attribute
};
inline constexpr unsigned tag_states_at_cut = static_cast<unsigned>(tag_state::between);

/// Reads a tag from byte `at` on. Starts in `state`, which is the state of that byte. The states are those of
/// the HTML Living Standard (13.2.5.8 and from 13.2.5.32 on), without those that differ only in errors.
[[nodiscard]] DUOMAP_HD inline tag resume_tag(const tag_bytes& in, tag_state state, std::uint64_t at = 0) {
  const byte_view bytes = in.bytes;
  const std::uint64_t most = bytes.size < most_tag_bytes ? bytes.size : most_tag_bytes;
  const std::uint64_t limit = in.next > most ? in.next : most;
  tag read;
  // A tag without an end is not read in detail: each '<' in it begins such a tag again, and all would be
  // read.
  const bool ends = find_byte(bytes.sub(0, in.next), '>') < in.next ||
                    find_far_byte(bytes.sub(0, limit), '>', in.next) < limit;
  if (!ends) at = limit;
  std::uint64_t begin = 0;  // the begin of a name or value
  bool is_href = false;
  while (at < limit) {
    switch (state) {
      case tag_state::declaration:
        at = find_byte(bytes.sub(0, limit), '>', at);
        if (at < limit) return {.result = tag_end::found, .end = at + 1};
        break;
      case tag_state::name:
        while (at < limit && !is_html_space(bytes[at]) && bytes[at] != '/' && bytes[at] != '>') ++at;
        state = tag_state::between;
        break;
      case tag_state::between:
        while (at < limit && (is_html_space(bytes[at]) || bytes[at] == '/')) ++at;
        if (at == limit) break;
        if (bytes[at] == '>') {
          read.result = tag_end::found;
          read.end = at + 1;
          return read;
        }
        begin = at++;  // any byte may begin a name, even "="
        state = tag_state::attribute_name;
        break;
      case tag_state::attribute_name:
        while (at < limit && !is_html_space(bytes[at]) && bytes[at] != '/' && bytes[at] != '>' &&
               bytes[at] != '=') {
          ++at;
        }
        is_href = !read.has_href && at - begin == 4 &&
                  to_lower_ascii(load_some(bytes.data + begin, 4)) == words_of("href").low;
        read.has_href = read.has_href || is_href;
        state = tag_state::between;
        while (at < limit && is_html_space(bytes[at])) ++at;
        if (at == limit || bytes[at] != '=') break;
        ++at;
        while (at < limit && is_html_space(bytes[at])) ++at;
        if (at == limit || bytes[at] == '>') break;
        state = bytes[at] == '"'    ? tag_state::double_quoted
                : bytes[at] == '\'' ? tag_state::single_quoted
                                    : tag_state::unquoted;
        begin = state == tag_state::unquoted ? at : ++at;
        break;
      case tag_state::unquoted:
        while (at < limit && !is_html_space(bytes[at]) && bytes[at] != '>') ++at;
        if (is_href) read.href = bytes.sub(begin, at - begin);
        state = tag_state::between;
        break;
      case tag_state::double_quoted:
      case tag_state::single_quoted: {
        const char quote = state == tag_state::double_quoted ? '"' : '\'';
        if (at < in.next) at = find_byte(bytes.sub(0, in.next), quote, at);
        if (at >= in.next) at = find_far_byte(bytes.sub(0, limit), quote, at);
        if (at == limit) break;
        if (is_href) read.href = bytes.sub(begin, at - begin);
        ++at;
        state = tag_state::between;
        break;
      }
    }
  }
  if (limit < bytes.size) return {.result = tag_end::text, .end = limit};
  const bool more_may_follow = limit > 0 && bytes[limit - 1] == '<';
  return {.result = more_may_follow ? tag_end::cut : tag_end::end_of_source, .end = limit};
}

/// Reads a tag or a declaration from behind its '<'. Does not read comments.
[[nodiscard]] DUOMAP_HD inline tag read_tag(const tag_bytes& in) {
  const std::uint64_t name = !in.bytes.empty() && in.bytes[0] == '/' ? 1 : 0;
  const bool has_name = in.bytes.size > name && is_ascii_letter(in.bytes[name]);
  return has_name ? resume_tag(in, tag_state::name, name) : resume_tag(in, tag_state::declaration);
}

}  // namespace duomap::apps
