// Recognises compressed and packed files by their first bytes, and writes the messages about them.
#include "core/input/compression.hpp"

#include "core/error.hpp"
#include "core/input/gzip_stream.hpp"
#include "core/input/lz4_stream.hpp"
#include "core/input/xz_stream.hpp"
#include "core/input/zstd_stream.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace duomap {

namespace {

/// A kind of compression that duomap reads.
struct read_kind {
  compression kind;
  std::string_view name;
  std::string_view ending;
  std::string_view magic;
  std::string_view library;
  std::string_view package;
  std::string_view program;  // the command that decompresses it
  bool (*supported)() noexcept;
  std::unique_ptr<byte_stream> (*open)(std::unique_ptr<byte_stream>, std::string);
};

constexpr std::array<read_kind, 4> read_kinds{{
    // The third byte means deflate, the only method of gzip.
    {compression::gzip,
     "gzip",
     ".gz",
     {"\x1f\x8b\x08", 3},
     "zlib",
     "zlib1g-dev",
     "gzip -d",
     gzip_supported,
     open_gzip},
    {compression::zstd,
     "zstd",
     ".zst",
     {"\x28\xb5\x2f\xfd", 4},
     "zstd",
     "libzstd-dev",
     "zstd -d",
     zstd_supported,
     open_zstd},
    {compression::xz,
     "xz",
     ".xz",
     {"\xfd\x37\x7a\x58\x5a\0", 6},
     "liblzma",
     "liblzma-dev",
     "xz -d",
     xz_supported,
     open_xz},
    {compression::lz4,
     "lz4",
     ".lz4",
     {"\x04\x22\x4d\x18", 4},
     "lz4",
     "liblz4-dev",
     "lz4 -d",
     lz4_supported,
     open_lz4},
}};

/// A format that duomap recognises only to refuse it. Hardly any text begins with such `magic` bytes.
struct unsupported_kind {
  std::string_view magic;
  std::string_view name;
  std::string_view cure;
};

constexpr std::array<unsupported_kind, 20> unread_kinds{{
    {{"BZh", 3}, "compressed by bzip2", "decompress it first with bzip2 -d"},
    {{"PK\x03\x04", 4},
     "a ZIP archive, as .npz, .xlsx and .docx files are",
     "extract its files first with unzip; of .npz, save each array with numpy.save"},
    {{"PK\x05\x06", 4}, "an empty ZIP archive", "give a file with data"},
    {{"7z\xbc\xaf\x27\x1c", 6}, "a 7-Zip archive", "extract its files first with 7z x"},
    {{"Rar!\x1a\x07", 6}, "a RAR archive", "extract its files first with unrar x"},
    {{"LZIP\x01", 5}, "compressed by lzip", "decompress it first with lzip -d"},
    {{"\x1f\x9d", 2}, "compressed by compress", "decompress it first with gzip -d"},
    {{"\x02\x21\x4c\x18", 4}, "an lz4 file of the legacy format", "decompress it first with lz4 -d"},
    {{"\x5d\0\0", 3}, "compressed by lzma, the format before xz", "decompress it first with xz -d"},
    {{"\xff\x06\0\0sNaPpY", 10}, "compressed by Snappy", "decompress it first with snzip -d"},
    {{"\x89LZO\0\r\n\x1a\n", 9}, "compressed by lzop", "decompress it first with lzop -d"},
    {{"%PDF-", 5}, "a PDF document", "extract its text first with pdftotext"},
    {{"PAR1\x15", 5}, "a Parquet file", "save its columns as .npy or CSV"},
    {{"Obj\x01", 4}, "a file of Avro", "export its columns first as CSV"},
    {{"ARROW1\0\0", 8}, "a file of Arrow or Feather", "save its columns as .npy or CSV"},
    {{"\x89HDF\r\n\x1a\n", 8}, "an HDF5 file", "save each of its arrays with numpy.save"},
    {{"SQLite format 3\0", 16}, "a database of SQLite", "export its tables first with sqlite3 -csv"},
    {{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8},
     "a document of an older Office, as .xls and .doc files are",
     "save it as CSV or text first"},
    {{"\x80\x04\x95", 3}, "an object of Python's pickle", "save its arrays with numpy.save"},
    {{"\x80\x05\x95", 3}, "an object of Python's pickle", "save its arrays with numpy.save"},
}};

// A tar archive has this mark behind the first file's name and attributes (POSIX, ustar interchange format).
constexpr std::string_view tar_magic("ustar", 5);
constexpr std::size_t tar_magic_at = 257;

// In bzip2 a digit follows "BZh", and these six bytes (of pi) follow the digit. "BZh" alone would also
// recognise a name such as "BZhang".
constexpr std::string_view bzip2_block("\x31\x41\x59\x26\x53\x59", 6);

// Skippable frames of zstd; their first byte is 0x50 to 0x5f. Parallel and seekable zstd files may begin with
// such a frame. lz4 has the same frames.
constexpr std::string_view skippable_magic("\x50\x2a\x4d\x18", 4);
constexpr std::uint64_t skippable_header_bytes =
    8;  // the magic bytes, and the size of the frame's content, little-endian
constexpr char skippable_mask = '\xf0';

const read_kind& facts_of(compression kind) { return *std::ranges::find(read_kinds, kind, &read_kind::kind); }

/// Whether `first` and `magic` agree in all bytes that both have.
bool agrees(byte_view first, std::string_view magic) {
  return first.text().substr(0, magic.size()) == magic.substr(0, first.size);
}

bool agrees_with_skippable(byte_view first) {
  std::array<char, skippable_magic.size()> masked{};
  const std::uint64_t size = std::min<std::uint64_t>(first.size, masked.size());
  std::copy_n(first.data, size, masked.data());
  masked[0] = static_cast<char>(masked[0] & skippable_mask);
  return agrees({masked.data(), size}, skippable_magic);
}

/// The place of the first frame that is not skippable. If `first` ends before that frame, the place of the
/// next frame's header.
std::uint64_t end_of_skipped(byte_view first) {
  std::uint64_t at = 0;
  while (at + skippable_header_bytes <= first.size &&
         agrees_with_skippable(first.sub(at, skippable_header_bytes))) {
    std::uint64_t size = 0;
    for (int i = 7; i >= 4; --i)
      size = size << 8 | static_cast<unsigned char>(first[at + static_cast<std::uint64_t>(i)]);
    at += skippable_header_bytes + size;
  }
  return at;
}

/// Whether these bytes were compressed by zlib (RFC 1950). A header of zlib may be printable ("x^"), so the
/// bytes must also have a control character, as hardly any text has.
bool is_zlib(byte_view first) {
  if (first.size < 2) return false;
  const unsigned method = static_cast<unsigned char>(first[0]);
  const unsigned flags = static_cast<unsigned char>(first[1]);
  constexpr unsigned deflate = 8;
  constexpr unsigned largest_window = 7;
  constexpr unsigned preset_dictionary = 0x20;
  if ((method & 15U) != deflate || method >> 4U > largest_window || (flags & preset_dictionary) != 0 ||
      (method << 8U | flags) % 31 != 0) {
    return false;
  }
  constexpr std::string_view of_texts = "\t\n\v\f\r\b\x1b";
  return std::any_of(first.begin(), first.end(), [&](char c) {
    return static_cast<unsigned char>(c) < ' ' && of_texts.find(c) == std::string_view::npos;
  });
}

/// The format of a file that begins with `first`, if duomap refuses that format; else null.
const unsupported_kind* unsupported_in(byte_view first) {
  static constexpr unsupported_kind tar{tar_magic, "a tar archive", "extract its files first with tar -xf"};
  static constexpr unsupported_kind zlib{{},
                                         "compressed by zlib without a header of gzip",
                                         "decompress it first with zlib-flate -uncompress or pigz -dz"};
  const std::string_view text = first.text();
  for (const unsupported_kind& one : unread_kinds) {
    if (!text.starts_with(one.magic)) continue;
    const std::size_t level = one.magic.size();
    if (one.magic == "BZh" && !text.substr(std::min(level + 1, text.size())).starts_with(bzip2_block))
      continue;
    return &one;
  }
  if (is_zlib(first)) return &zlib;
  const std::string_view behind = text.substr(std::min(tar_magic_at, text.size()));
  const bool is_tar = behind.starts_with(tar_magic) && behind.size() > tar_magic.size() &&
                      (behind[tar_magic.size()] == '\0' || behind[tar_magic.size()] == ' ');
  // This byte ends the name of a linked file. It is 0, because such a name hardly ever has all 100 bytes.
  return is_tar && text[tar_magic_at - 1] == '\0' ? &tar : nullptr;
}

// Whether the header has flags that RFC 1952 reserves. ISA-L does not check them.
bool has_reserved_flags(byte_view gzip_header) {
  constexpr std::uint64_t flags_at = 3;
  constexpr unsigned reserved = 0xe0;
  return gzip_header.size > flags_at && (static_cast<unsigned char>(gzip_header[flags_at]) & reserved) != 0;
}

/// Whether ten bytes are a header of gzip (RFC 1952). The three magic bytes are not enough here, because a
/// binary number may begin with them.
bool is_gzip_header(byte_view first) {
  if (first.size < 10) return false;
  const auto byte = [&](std::size_t at) {
    return static_cast<unsigned char>(first[at]);
  };
  const bool known_effort = byte(8) == 0 || byte(8) == 2 || byte(8) == 4;
  const bool known_system = byte(9) <= 13 || byte(9) == 255;
  return !has_reserved_flags(first) && known_effort && known_system;
}

bool ends_with(std::string_view path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  path.remove_prefix(path.size() - ending.size());
  return std::ranges::equal(path, ending,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

}  // namespace

std::string_view name_of(compression kind) noexcept {
  return kind == compression::none ? "not compressed" : facts_of(kind).name;
}

compression promised_by(std::string_view path) noexcept {
  for (const read_kind& one : read_kinds) {
    if (ends_with(path, one.ending)) return one.kind;
  }
  return compression::none;
}

std::string_view without_ending(std::string_view path) noexcept {
  const compression kind = promised_by(path);
  if (kind != compression::none) path.remove_suffix(facts_of(kind).ending.size());
  return path;
}

bool may_be(compression kind, byte_view first) noexcept {
  if (kind == compression::none) return true;
  const bool skips = kind == compression::zstd || kind == compression::lz4;
  return agrees(first, facts_of(kind).magic) || (skips && agrees_with_skippable(first));
}

compression recognised_in(byte_view first) noexcept {
  const std::uint64_t skipped = end_of_skipped(first);
  // A file that has skippable frames only has no text, whether zstd or lz4 made it.
  if (skipped > 0 && skipped < first.size) first = first.sub(skipped, first.size - skipped);
  for (const read_kind& one : read_kinds) {
    if (first.size >= one.magic.size() && may_be(one.kind, first)) return one.kind;
  }
  return compression::none;
}

std::uint64_t bytes_behind_skipped(byte_view first) noexcept {
  const std::uint64_t skipped = end_of_skipped(first);
  const std::uint64_t wanted = skipped + skippable_header_bytes;
  return skipped == 0 || wanted <= first.size ? 0 : wanted;
}

void require_compressed(compression kind, byte_view first, const std::string& name) {
  if (kind == compression::none) {
    return;
  }
  const read_kind& facts = facts_of(kind);
  if (!facts.supported()) {
    throw input_error(unsupported_problem(kind, name));
  }
  const std::string format(facts.name);
  if (first.empty()) {
    throw input_error("cannot read " + name + ": it is empty, not " + format + "; get the file again");
  }
  if (may_be(kind, first)) {
    if (kind == compression::gzip && has_reserved_flags(first)) {
      throw input_error(
          "cannot read " + name +
          ": its gzip data is damaged (flags of the header that RFC 1952 reserves are set); get the file "
          "again, gzip -t tests it");
    }
    return;
  }
  const compression other = recognised_in(first);
  throw input_error("cannot read " + name + ": it does not begin like " + format + " at byte 0" +
                    (other == compression::none
                         ? "; rename it if it is not compressed, or get the file again"
                         : " but like " + std::string(name_of(other)) + "; rename it to end in " +
                               std::string(facts_of(other).ending)));
}

void refuse_unsupported(byte_view first, const std::string& name) {
  if (const unsupported_kind* const one = unsupported_in(first)) {
    throw input_error("cannot read " + name + ": it is " + std::string(one->name) +
                      ", which is not read here; " + std::string(one->cure));
  }
}

packed_kind surely_packed(byte_view first) {
  constexpr std::size_t sure_bytes = 4;  // of 2^32 random 32-bit numbers, one is equal to such a mark
  if (const unsupported_kind* const one = unsupported_in(first); one != nullptr) {
    const bool sure = one->magic.size() >= sure_bytes || one->magic == "BZh";
    return sure ? packed_kind{std::string(one->name), std::string(one->cure)} : packed_kind{};
  }
  const compression kind = recognised_in(first);
  if (kind == compression::none || (kind == compression::gzip && !is_gzip_header(first))) return {};
  const read_kind& facts = facts_of(kind);
  return {"compressed by " + std::string(facts.name), "let its name end in " + std::string(facts.ending) +
                                                          ", or decompress it first with " +
                                                          std::string(facts.program)};
}

void refuse_packed(byte_view first, const std::string& name) {
  const auto refuse = [&](std::string_view what, std::string_view cure) {
    throw input_error("cannot read " + name + ": what is compressed in it is " + std::string(what) +
                      ", which is not read here; " + std::string(cure));
  };
  if (const unsupported_kind* const one = unsupported_in(first)) refuse(one->name, one->cure);
  const compression kind = recognised_in(first);
  if (kind == compression::none) return;
  const read_kind& facts = facts_of(kind);
  refuse("compressed once more, by " + std::string(facts.name),
         "decompress it first with " + std::string(facts.program));
}

std::string lacking_library(compression kind) {
  const read_kind& facts = facts_of(kind);
  if (facts.supported()) return {};
  return "no " + std::string(facts.library) + ", so " + std::string(facts.ending) +
         " files cannot be read: install " + std::string(facts.package) + " and build again";
}

std::string unsupported_problem(compression kind, const std::string& name) {
  const read_kind& facts = facts_of(kind);
  return "cannot read " + name + ": this duomap was built without " + std::string(facts.library) +
         "; install " + std::string(facts.package) + " and build again, or decompress it first with " +
         std::string(facts.program);
}

std::unique_ptr<byte_stream> decompressed(std::unique_ptr<byte_stream> stored, compression kind,
                                          std::string name) {
  if (kind == compression::none) return stored;
  return facts_of(kind).open(std::move(stored), std::move(name));
}

}  // namespace duomap
