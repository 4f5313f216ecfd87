#include "core/input/compression.hpp"

#include "core/error.hpp"
#include "core/input/gzip_stream.hpp"
#include "core/input/zstd_stream.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace duomap {

namespace {

constexpr std::string_view gzip_magic("\x1f\x8b\x08",
                                      3);  // the third byte: deflate, the only method there is
constexpr std::string_view zstd_magic("\x28\xb5\x2f\xfd", 4);
// Skippable frames: the first byte is 0x50 to 0x5f. Parallel and seekable zstd files may begin with one.
constexpr std::string_view zstd_skippable_magic("\x50\x2a\x4d\x18", 4);
constexpr char zstd_skippable_mask = '\xf0';

/// Whether `first` and `magic` agree as far as both reach.
bool agrees(byte_view first, std::string_view magic) {
  return first.text().substr(0, magic.size()) == magic.substr(0, first.size);
}

bool agrees_with_skippable(byte_view first) {
  std::array<char, zstd_skippable_magic.size()> masked{};
  const std::uint64_t size = std::min<std::uint64_t>(first.size, masked.size());
  std::copy_n(first.data, size, masked.data());
  masked[0] = static_cast<char>(masked[0] & zstd_skippable_mask);
  return agrees({masked.data(), size}, zstd_skippable_magic);
}

}  // namespace

compression promised_by(std::string_view path) noexcept {
  if (path.ends_with(".gz")) {
    return compression::gzip;
  }
  return path.ends_with(".zst") ? compression::zstd : compression::none;
}

bool may_be(compression kind, byte_view first) noexcept {
  switch (kind) {
    case compression::gzip:
      return agrees(first, gzip_magic);
    case compression::zstd:
      return agrees(first, zstd_magic) || agrees_with_skippable(first);
    default:
      return true;
  }
}

compression recognised_in(byte_view first) noexcept {
  if (first.size >= gzip_magic.size() && may_be(compression::gzip, first)) {
    return compression::gzip;
  }
  if (first.size >= zstd_magic.size() && may_be(compression::zstd, first)) {
    return compression::zstd;
  }
  return compression::none;
}

void require_compressed(compression kind, byte_view first, const std::string& name) {
  if (kind == compression::none) {
    return;
  }
  const bool gzip = kind == compression::gzip;
  if (gzip ? !gzip_supported() : !zstd_supported()) {
    throw input_error(unsupported_problem(kind, name));
  }
  const std::string format = gzip ? "gzip" : "zstd";
  if (first.empty()) {
    throw input_error("cannot read " + name + ": it is empty, not " + format + "; get the file again");
  }
  if (!may_be(kind, first)) {
    throw input_error("cannot read " + name + ": it does not begin like " + format +
                      " at byte 0; rename it if it is not compressed, or get the file again");
  }
}

std::string unsupported_problem(compression kind, const std::string& name) {
  const bool gzip = kind == compression::gzip;
  return "cannot read " + name + ": this duomap was built without " + (gzip ? "zlib" : "zstd") +
         "; install " + (gzip ? "zlib1g-dev" : "libzstd-dev") +
         " and build again, or decompress it first with " + (gzip ? "gzip -d" : "zstd -d");
}

std::unique_ptr<byte_stream> decompressed(std::unique_ptr<byte_stream> stored, compression kind,
                                          std::string name) {
  switch (kind) {
    case compression::gzip:
      return gzip_stream(std::move(stored), std::move(name));
    case compression::zstd:
      return zstd_stream(std::move(stored), std::move(name));
    default:
      return stored;
  }
}

}  // namespace duomap
