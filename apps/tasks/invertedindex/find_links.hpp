// The map of the inverted index: what may be a link, and what decides whether it is one.
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

// Whether a '<' begins a tag depends on all that comes before it: it may stand in a comment, a script or a
// quoted value. A map that sees one fragment cannot know, so it emits what would follow if the fragment began
// a tag, and what would end a comment or script that is open; resolve_links() (resolve_links.hpp) goes
// through that in order, and keeps the links that are links. Only what is cut by the end of a chunk needs
// bytes of the next one: the chunks emit them, so that a cut may be at any '<'.

/// What a fragment means to those behind it.
enum class markup_event_kind : std::uint8_t {
  link,          ///< an a or area tag with an href, whose value is the key
  tag,           ///< another tag that holds a '<'
  script,        ///< a script element begins
  style,         ///< a style element begins
  comment,       ///< a comment begins that its own fragment does not end
  script_end,    ///< "</script": ends a script
  style_end,     ///< "</style"
  comment_end,   ///< "-->" or "--!>"
  cut_tag,       ///< a tag that the end of the chunk cuts within a quoted value; the key is its bytes
  chunk_begins,  ///< the key is as much of a chunk as a tag that is cut by its beginning needs at most
};

/// An event and its place.
class markup_event {
 public:
  markup_event() = default;
  /// `begin` is the offset in the source of the '<' that begins it, or of the byte behind what ends; what
  /// begins in the `length` bytes from there on is part of it.
  DUOMAP_HD markup_event(markup_event_kind kind, const markup_fragment& in, std::uint64_t begin,
                         std::uint64_t length = 0)
    : place_(begin << 8 | static_cast<std::uint8_t>(kind)),
      source_(in.source),
      length_(static_cast<std::uint32_t>(length)) {}

  [[nodiscard]] DUOMAP_HD markup_event_kind kind() const {
    return static_cast<markup_event_kind>(place_ & 0xFF);
  }
  [[nodiscard]] DUOMAP_HD std::uint64_t begin() const { return place_ >> 8; }
  [[nodiscard]] DUOMAP_HD std::uint64_t end() const { return begin() + length_; }
  [[nodiscard]] DUOMAP_HD std::uint32_t source() const { return source_; }
  friend bool operator==(const markup_event&, const markup_event&) = default;

 private:
  std::uint64_t place_ = 0;  // offset and kind: 16 bytes in all
  std::uint32_t source_ = 0;
  std::uint32_t length_ = 0;
};

/// What a start tag means.
[[nodiscard]] DUOMAP_HD inline markup_event_kind event_of(tag_name name, const tag& read) {
  if (read.result == tag_end::cut) return markup_event_kind::cut_tag;
  if (name == tag_name::links && read.has_href) return markup_event_kind::link;
  if (name == tag_name::script && !read.closes_itself) return markup_event_kind::script;
  if (name == tag_name::style && !read.closes_itself) return markup_event_kind::style;
  return markup_event_kind::tag;
}

/// The events of HTML, in the order of the input.
struct find_links {
  using format = markup;
  using key = byte_view;
  using reduce = collect<markup_event>;

  DUOMAP_HD void map(const markup_fragment& fragment, auto& emit) const {
    using kind = markup_event_kind;
    if (fragment.offset == 0) return;  // what a source begins with has no '<' before it and ends nothing
    if (fragment.begins_chunk) emit_beginning(fragment, emit);
    if (fragment.text.empty()) return;
    const std::uint64_t begin = fragment.offset - 1;
    const char first = to_lower_ascii(fragment.text[0]);
    const fragment_marks marks = marks_of(fragment.text);

    if (first >= 'a' && first <= 'z') {
      const tag_name name = name_of_tag(fragment.text);
      if (name != tag_name::other || marks.open_quote) {
        const tag read = read_tag({fragment.rest, fragment.text.size});
        const markup_event event(event_of(name, read), fragment, begin,
                                 // Nothing begins within a tag that holds no '<'.
                                 read.end > fragment.text.size ? read.end + 1 : 0);
        if (read.result == tag_end::cut) {
          emit(fragment.rest, event);
        } else if (read.result == tag_end::found && (event.kind() != kind::tag || event.end() != begin)) {
          emit(event.kind() == kind::link ? read.href : byte_view(), event);
        }
      }
    } else if (first == '/') {
      const byte_view name = fragment.text.sub(1, fragment.text.size - 1);
      if (is_tag_name(name, word_of("script"), 6))
        emit(byte_view(), markup_event(kind::script_end, fragment, begin));
      if (is_tag_name(name, word_of("style"), 5))
        emit(byte_view(), markup_event(kind::style_end, fragment, begin));
    } else if (first == '!' && !marks.comment_end && fragment.text.size >= 3 &&
               load_some(fragment.text.data, 3) == word_of("!--")) {
      emit(byte_view(), markup_event(kind::comment, fragment, begin));
    }

    if (!marks.comment_end) return;
    for (std::uint64_t end = next_comment_end(fragment.text, 0); end != not_found;
         end = next_comment_end(fragment.text, end)) {
      emit(byte_view(), markup_event(kind::comment_end, fragment, fragment.offset + end));
    }
  }

 private:
  /// What a tag that began before the chunk may need of it: it can be cut within either kind of quotes.
  DUOMAP_HD static void emit_beginning(const markup_fragment& fragment, auto& emit) {
    std::uint64_t needed = 0;
    for (int kind = 0; kind < 2; ++kind) {
      const tag_bytes in{fragment.rest, 0};
      tag end = detail::closing_quote(in, 0, kind == 0 ? '"' : '\'');
      if (end.result == tag_end::found) end = read_attributes(in, end.end + 1);
      // What is no tag after these bytes is none with more before them.
      if (end.result == tag_end::not_one) continue;
      // With the '<' that ends it.
      const std::uint64_t seen = end.end < fragment.rest.size ? end.end + 1 : end.end;
      needed = seen > needed ? seen : needed;
    }
    emit(fragment.rest.sub(0, needed),
         markup_event(markup_event_kind::chunk_begins, fragment, fragment.offset));
  }
};

}  // namespace duomap::apps

template <>
inline constexpr bool duomap::gpu::has_code<duomap::apps::find_links> = DUOMAP_HAS_CUDA;
