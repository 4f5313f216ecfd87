// Recognises a stored file, and decompresses and decodes it by the matching streams.
#include "core/input/content_stream.hpp"

#include "core/error.hpp"
#include "core/input/number_records.hpp"
#include "core/input/resumed_stream.hpp"

#include <utility>

namespace duomap {

namespace {

/// The first bytes of a text, enough to tell its encoding. Takes whole parts if the stream has parts: only
/// then can the parts behind them be taken, too.
std::string first_parts(byte_stream& text) {
  std::string first;
  while (first.size() < recognition_bytes) {
    if (const auto part = text.take_part(recognition_bytes)) {
      const std::size_t size = first.size();
      first.resize(size + part->most_bytes());
      first.resize(size + part->read(first.data() + size));
    } else {
      const std::string more = next_bytes(text, recognition_bytes - first.size());
      if (more.empty()) break;
      first += more;
    }
  }
  return first;
}

/// Reads until `first` shows which kind of frame follows the skippable frames of a file.
void read_behind_skipped(byte_stream& stored, std::string& first, const std::string& name) {
  constexpr std::uint64_t most = std::uint64_t{16} << 20;
  for (;;) {
    const std::uint64_t wanted = bytes_behind_skipped(std::string_view(first));
    if (wanted <= first.size()) return;
    if (wanted > most) {
      throw input_error(
          "cannot read " + name + ": it begins with " + std::to_string(wanted) +
          " bytes that zstd and lz4 skip, so it may be either; rename it to end in .zst or .lz4");
    }
    const std::string more = next_bytes(stored, wanted - first.size());
    if (more.empty()) return;
    first += more;
  }
}

}  // namespace

recognised_content recognise(input_content content, std::string_view path, byte_view first,
                             const std::string& name) {
  if (content == input_content::stored) return {};
  const compression promised = promised_by(path);
  if (promised != compression::none || content == input_content::text) refuse_unsupported(first, name);
  require_compressed(promised, first, name);
  if (promised != compression::none || content == input_content::records) return {promised, {}};
  if (content == input_content::numbers) {
    refuse_no_numbers(first, name);
    return {};
  }
  const compression kind = recognised_in(first);
  require_compressed(kind, first, name);
  if (kind != compression::none) return {kind, {}};
  const byte_order_mark mark = mark_of(first);
  if (mark.bytes == 0) refuse_unmarked(first, name);
  return {kind, mark};
}

opened_content content_stream(std::unique_ptr<byte_stream> stored, input_content content,
                              std::string_view path, const std::string& name) {
  if (content == input_content::stored) return {std::move(stored)};
  std::string first = next_bytes(*stored, recognition_bytes);
  if (content == input_content::text && promised_by(path) == compression::none) {
    read_behind_skipped(*stored, first, name);
  }
  recognised_content found = recognise(content, path, std::string_view(first), name);
  std::unique_ptr<byte_stream> text =
      decompressed(std::make_unique<resumed_stream>(std::move(stored), first), found.kind, name);
  if (content == input_content::records) return {std::move(text)};
  if (found.kind != compression::none) {
    first.resize(recognition_bytes);
    const auto seen = text->look(0, first.data(), first.size());
    first = seen ? first.substr(0, *seen) : first_parts(*text);
    if (content == input_content::numbers) {
      refuse_no_numbers(std::string_view(first), name);
    } else {
      refuse_packed(std::string_view(first), name);
      found.mark = mark_of(std::string_view(first));
      if (found.mark.bytes == 0) refuse_unmarked(std::string_view(first), name);
    }
    if (!seen) text = std::make_unique<resumed_stream>(std::move(text), first);
  }
  if (found.mark.encoding != text_encoding::as_it_is) {
    return {utf8_stream(std::move(text), found.mark.encoding, name), true};
  }
  static_cast<void>(next_bytes(*text, found.mark.bytes));
  return {std::move(text), found.mark.bytes > 0};
}

}  // namespace duomap
