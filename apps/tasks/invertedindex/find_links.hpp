// Emits possible links, and the events that decide which of them are links: the map of the inverted index. An
// event is a tag, a comment or a cut in the text of HTML.
#pragma once

#include "apps/tasks/invertedindex/fragment_marks.hpp"
#include "apps/tasks/invertedindex/tag.hpp"
#include "core/config.hpp"
#include "core/record/markup.hpp"
#include "core/task.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/load.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>

namespace duomap::apps {

// A '<' begins a tag only if it stands in no comment, script or quoted value, and that depends on all text
// before it. A map sees one fragment and cannot know the text before it. So the map emits the event for the
// case that the fragment begins a tag, and also each end of a comment or script. walk() (resolve_links.hpp)
// goes through all events in order and keeps the true links. Every chunk emits its first bytes, which
// complete a tag that the end of the chunk before cut.

/// The effect of a fragment on the text behind it.
enum class markup_event_kind : std::uint8_t {
  none,
  link,              ///< an a or area tag with an href, whose value is the key
  tag,               ///< another tag or a declaration that holds a '<'
  opens,             ///< the start tag of an element in which no tags begin
  closes,            ///< the end tag of an element in which no tags begin
  names_script,      ///< "<script" that begins no tag
  comment,           ///< a comment begins; length 0: it does not end in its fragment
  comment_end,       ///< "-->", the end of a comment
  comment_end_bang,  ///< "--!>", another end of a comment
  cut_tag,           ///< a tag or declaration that the end of the chunk cuts; the key is its bytes
  chunk_begins,      ///< the first bytes of a chunk are the key; they complete any cut tag
};

/// An event and its place.
class markup_event {
 public:
  markup_event() = default;
  /// `begin`: the offset of the event's '<' in the source, or of the byte behind the end of a comment.
  /// `length`: the number of bytes from `begin` on in which no other event begins. For chunk_begins `length`
  /// is the number of bytes of the chunk that may belong to a cut tag; the key may have fewer.
  DUOMAP_HD markup_event(markup_event_kind kind, std::uint32_t source, std::uint64_t begin,
                         std::uint64_t length = 0, tag_name name = tag_name::other)
    : place_(begin << 8 | static_cast<std::uint64_t>(name) << 4 | static_cast<std::uint64_t>(kind)),
      source_(source),
      length_(static_cast<std::uint32_t>(length)) {}

  [[nodiscard]] DUOMAP_HD markup_event_kind kind() const {
    return static_cast<markup_event_kind>(place_ & 0xF);
  }
  /// The name of the element, for the kinds opens and closes.
  [[nodiscard]] DUOMAP_HD tag_name name() const { return static_cast<tag_name>(place_ >> 4 & 0xF); }
  [[nodiscard]] DUOMAP_HD std::uint64_t begin() const { return place_ >> 8; }
  [[nodiscard]] DUOMAP_HD std::uint64_t end() const { return begin() + length_; }
  [[nodiscard]] DUOMAP_HD std::uint32_t source() const { return source_; }
  friend bool operator==(const markup_event&, const markup_event&) = default;

 private:
  std::uint64_t place_ = 0;  // offset, name and kind: 16 bytes in all
  std::uint32_t source_ = 0;
  std::uint32_t length_ = 0;
};

/// The event of a tag or declaration, read from `in`, whose '<' is at `begin` of a source. The kind is none
/// if the tag does not matter to the text behind it.
[[nodiscard]] DUOMAP_HD inline markup_event event_of(const tag_bytes& in, const tag& read,
                                                     std::uint32_t source, std::uint64_t begin) {
  using kind = markup_event_kind;
  const bool closes = in.bytes[0] == '/';
  const tag_name name = name_of_tag(in.bytes.sub(closes ? 1 : 0, in.next - (closes ? 1 : 0)));
  // No other event can begin in a tag without a '<'.
  const std::uint64_t length = read.end > in.next ? read.end + 1 : 0;
  const bool named = closes ? hides_tags(name) && name != tag_name::plaintext : hides_tags(name);
  switch (read.result) {
    case tag_end::cut:
      return {kind::cut_tag, source, begin};
    case tag_end::text:
      if (closes && named) return {kind::closes, source, begin, 0, name};
      return {!closes && name == tag_name::script ? kind::names_script : kind::none, source, begin};
    case tag_end::found:
      if (!closes && name == tag_name::links && read.has_href) return {kind::link, source, begin, length};
      [[fallthrough]];
    case tag_end::end_of_source:
      if (named) return {closes ? kind::closes : kind::opens, source, begin, length, name};
      return {length == 0 ? kind::none : kind::tag, source, begin, length};
  }
  return {};
}

/// The task of the inverted index. Its result has the possible links, and the tags and comments that decide
/// which of them are links, in the order of the input.
struct find_links {
  using format = markup;
  using key = byte_view;
  using reduce = collect<markup_event>;

  DUOMAP_HD void map(const markup_fragment& fragment, auto& emit) const {
    if (fragment.offset == 0) return;  // no '<' stands before the first fragment, and nothing is open
    if (fragment.begins_chunk) emit_beginning(fragment, emit);
    const byte_view text = fragment.text;
    if (text.empty()) return;
    const std::uint64_t begin = fragment.offset - 1;
    const fragment_marks marks = marks_of(text);
    const bool comment = text.size >= 3 && load_some(text.data, 3) == words_of("!--").low;

    if (comment) {
      emit(byte_view(), markup_event(kind::comment, fragment.source, begin, length_of_comment(text, marks)));
    } else if (text[0] == '/' || text[0] == '!' || text[0] == '?' || is_ascii_letter(text[0])) {
      const bool closes = text[0] == '/';
      if (!marks.ends_tag || name_of_tag(closes ? text.sub(1, text.size - 1) : text) != tag_name::other) {
        const tag_bytes in{fragment.rest, text.size};
        const tag read = read_tag(in);
        const markup_event event = event_of(in, read, fragment.source, begin);
        if (event.kind() == kind::cut_tag) {
          emit(fragment.rest, event);
        } else if (event.kind() != kind::none) {
          emit(event.kind() == kind::link ? read.href : byte_view(), event);
        }
      }
    }

    if (!marks.comment_end) return;
    for (comment_end at = next_comment_end(text, 0); at.end != not_found;
         at = next_comment_end(text, at.end)) {
      emit(byte_view(), markup_event(at.dashes_before == 2 ? kind::comment_end : kind::comment_end_bang,
                                     fragment.source, fragment.offset + at.end));
    }
  }

 private:
  using kind = markup_event_kind;

  /// The number of bytes of the comment that begins with the '<' before `text`; 0 if it does not end in
  /// `text`.
  DUOMAP_HD static std::uint64_t length_of_comment(byte_view text, const fragment_marks& marks) {
    constexpr std::uint64_t begin = 3;  // behind "!--"
    if (!marks.comment_end) return 0;
    for (comment_end at = next_comment_end(text, begin); at.end != not_found;
         at = next_comment_end(text, at.end)) {
      // The "--" of "<!--" does not end a comment, except in "<!-->" and "<!--->".
      if (at.dashes_before == 2 || at.end - 1 - at.dashes_before >= begin) return at.end + 1;
    }
    return 0;
  }

  /// Emits the first bytes of the chunk for a tag that the end of the chunk before cut. The tag may be cut in
  /// any state, so the bytes are enough for all states.
  DUOMAP_HD static void emit_beginning(const markup_fragment& fragment, auto& emit) {
    const std::uint64_t size = fragment.rest.size;
    std::uint64_t needed = 0;
    for (unsigned state = 0; state < tag_states_at_cut; ++state) {
      const tag read = resume_tag({fragment.rest, 0}, static_cast<tag_state>(state));
      const bool tells = read.result == tag_end::found || read.result == tag_end::cut;
      if (tells && read.end > needed) needed = read.end;
    }
    emit(fragment.rest.sub(0, needed), markup_event(kind::chunk_begins, fragment.source, fragment.offset,
                                                    size < most_tag_bytes ? size : most_tag_bytes));
  }
};

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::may_emit_nothing<duomap::apps::find_links> = true;
template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::find_links> = DUOMAP_HAS_CUDA;
