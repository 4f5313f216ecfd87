// Compresses a text with zlib and zstd and writes the files.
#include "bench/data/compressed_files.hpp"

#include "core/error.hpp"
#include "core/input/compression.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#if DUOMAP_HAS_ZLIB
#include <zlib.h>
#endif
#if DUOMAP_HAS_ZSTD
#include <zstd.h>
#endif

namespace duomap::apps {
namespace {

std::string pieces(std::string_view text, std::uint64_t size, std::string (*compress)(std::string_view)) {
  std::string all;
  for (std::uint64_t at = 0; at < text.size(); at += size) all += compress(text.substr(at, size));
  return all;
}

#if DUOMAP_HAS_ZLIB

/// Compresses a text with zlib. `window` is zlib's windowBits, which also chooses header and trailer.
std::string deflated(std::string_view text, int window) {
  constexpr int memory_level = 8;
  z_stream zlib{};
  if (::deflateInit2(&zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw out_of_memory("no memory for zlib");
  std::string stored(::deflateBound(&zlib, text.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  zlib.avail_in = static_cast<uInt>(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(stored.data());
  zlib.avail_out = static_cast<uInt>(stored.size());
  const int status = ::deflate(&zlib, Z_FINISH);
  stored.resize(zlib.total_out);
  ::deflateEnd(&zlib);
  if (status != Z_STREAM_END) throw error(exit_status::failed, "zlib did not compress the text at once");
  return stored;
}

void append_little_endian(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> 8 * i & 0xFF);
}

/// Writes a BGZF member (SAM specification, section 4.1) for at most 64 KiB of text.
std::string bgzf_member(std::string_view text) {
  constexpr std::uint64_t around = 26;  // header and trailer
  const std::string body = deflated(text, -MAX_WBITS);
  std::string member("\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0", 16);
  append_little_endian(member, body.size() + around - 1, 2);
  member += body;
  const auto* const bytes = reinterpret_cast<const Bytef*>(text.data());
  append_little_endian(member, ::crc32(0, bytes, static_cast<uInt>(text.size())), 4);
  append_little_endian(member, text.size(), 4);
  return member;
}

std::string as_gzip(std::string_view text) {
  if (text.size() > std::numeric_limits<uInt>::max())
    throw usage_error("a text of 4 GB and more is not compressed as one member of gzip; give --bytes less");
  return deflated(text, 16 + MAX_WBITS);
}

// Cuts the text every 65,280 bytes, as bgzip does.
std::string as_bgzip(std::string_view text) { return pieces(text, 65'280, bgzf_member); }

#endif

#if DUOMAP_HAS_ZSTD

std::string as_zstd(std::string_view text) {
  std::string stored(::ZSTD_compressBound(text.size()), '\0');
  const std::size_t size =
      ::ZSTD_compress(stored.data(), stored.size(), text.data(), text.size(), ZSTD_CLEVEL_DEFAULT);
  if (::ZSTD_isError(size) != 0) throw out_of_memory(std::string("zstd: ") + ::ZSTD_getErrorName(size));
  stored.resize(size);
  return stored;
}

std::string as_frames(std::string_view text) { return pieces(text, text_of_frame, as_zstd); }

#endif

}  // namespace

std::vector<compressed_file> write_compressed(std::string_view text, const std::string& folder,
                                              std::uint64_t times) {
  std::vector<compressed_file> all;
  const auto add = [&](stored_as form, const std::string& name, const std::string& file,
                       std::string (*compress)(std::string_view)) {
    compressed_file& one = all.emplace_back(compressed_file{form, name, {}});
    if (compress == nullptr) return;
    one.path = folder + "/" + file;
    const std::string stored = compress(text);
    std::ofstream to(one.path, std::ios::binary);
    for (std::uint64_t i = 0; i < times; ++i)
      to.write(stored.data(), static_cast<std::streamsize>(stored.size()));
    if (!to.flush()) throw output_error("cannot write " + one.path);
  };
  std::string (*gzip)(std::string_view) = nullptr;
  std::string (*bgzip)(std::string_view) = nullptr;
  std::string (*zstd)(std::string_view) = nullptr;
  std::string (*frames)(std::string_view) = nullptr;
#if DUOMAP_HAS_ZLIB
  gzip = as_gzip;
  bgzip = as_bgzip;
#endif
#if DUOMAP_HAS_ZSTD
  zstd = as_zstd;
  frames = as_frames;
#endif
  add(stored_as::plain, "plain file", "text", [](std::string_view whole) { return std::string(whole); });
  if (times == 1) add(stored_as::gzip, "one .gz", "text.gz", gzip);
  add(stored_as::bgzip, "bgzip", "text.bgzip.gz", bgzip);
  if (times == 1) add(stored_as::zstd, ".zst, one frame", "text.zst", zstd);
  add(stored_as::zstd_frames, ".zst, frames of 8 MiB", "text.frames.zst", frames);
  return all;
}

}  // namespace duomap::apps
