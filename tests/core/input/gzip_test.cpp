// Tests core/input/gzip_stream.cpp: streams of gzip files.
#include "core/input/compression.hpp"
#include "core/input/content_stream.hpp"
#include "core/input/gzip_decoders.hpp"
#include "core/input/gzip_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/compression_contract.hpp"
#include "tests/core/input/support.hpp"

#if DUOMAP_HAS_ZLIB

#include <sys/mman.h>
#include <zlib.h>

#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::test::core_input_gzip_test {
namespace {

std::string deflated(const std::string& text, int level, int window) {
  z_stream zlib{};
  REQUIRE(deflateInit2(&zlib, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string member(deflateBound(&zlib, text.size()), '\0');
  std::string source = text;
  zlib.next_in = reinterpret_cast<Bytef*>(source.data());
  zlib.avail_in = static_cast<uInt>(source.size());
  zlib.next_out = reinterpret_cast<Bytef*>(member.data());
  zlib.avail_out = static_cast<uInt>(member.size());
  REQUIRE(deflate(&zlib, Z_FINISH) == Z_STREAM_END);
  member.resize(zlib.total_out);
  deflateEnd(&zlib);
  return member;
}

std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i & 0xff);
  return text;
}

struct zlib_codec {
  static constexpr const char* name = "gzip";
  static constexpr const char* suffix = ".gz";
  static constexpr std::size_t header_bytes = 10;
  static std::vector<int> levels() { return {0, 1, 9}; }

  static std::string compress(const std::string& text, int level = 6) {
    return deflated(text, level, 16 + MAX_WBITS);
  }
  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return open_gzip_by_zlib(std::move(stored), std::move(file));
  }
  static std::vector<std::string> strangers() {
    return {std::string(1, '\1'), "x", "\x1f\x8c", "BZh9", "plain text"};
  }
  static std::string program(const std::string& path) {
    if (std::system("gzip --version >/dev/null 2>&1") != 0) return {};
    return "gzip -9 " + path + " && printf more | gzip >> " + path + ".gz";
  }
};

/// Members of at most 65,280 bytes of text, the size that bgzip writes.
struct zlib_bgzf_codec : zlib_codec {
  static constexpr std::size_t header_bytes = 18;

  static std::string compress(const std::string& text, int level = 6) {
    constexpr std::size_t most = 65'280;
    std::string all;
    std::size_t at = 0;
    do {
      const std::string part = text.substr(at, most);
      const std::string body = deflated(part, level, -MAX_WBITS);
      const auto crc =
          ::crc32(0, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
      all += std::string("\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0", 16) +
             little_endian(body.size() + 25, 2) + body + little_endian(crc, 4) +
             little_endian(part.size(), 4);
      at += most;
    } while (at < text.size());
    return all;
  }
  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return std::make_unique<by_parts>(open_gzip_by_zlib(std::move(stored), std::move(file)));
  }
  static std::string program(const std::string& path) {
    if (std::system("bgzip --version >/dev/null 2>&1") != 0) return {};
    return "bgzip " + path + " && printf more | bgzip >> " + path + ".gz";
  }
};

#if DUOMAP_HAS_ISAL

struct isal_codec : zlib_codec {
  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return open_gzip_by_isal(std::move(stored), std::move(file));
  }
};

struct isal_bgzf_codec : zlib_bgzf_codec {
  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return std::make_unique<by_parts>(open_gzip_by_isal(std::move(stored), std::move(file)));
  }
};

using codecs = std::tuple<zlib_codec, zlib_bgzf_codec, isal_codec, isal_bgzf_codec>;

#else

using codecs = std::tuple<zlib_codec, zlib_bgzf_codec>;

#endif

std::string text_of(stream_part& part) {
  std::string bytes(part.most_bytes(), '\0');
  bytes.resize(part.read(bytes.data()));
  return bytes;
}

}  // namespace

namespace zlib_members {
DUOMAP_COMPRESSION_CONTRACT("gzip by zlib", "[input][gzip]", zlib_codec)
}
namespace zlib_bgzf {
DUOMAP_COMPRESSION_CONTRACT("bgzip by zlib", "[input][gzip]", zlib_bgzf_codec)
}
#if DUOMAP_HAS_ISAL
namespace isal_members {
DUOMAP_COMPRESSION_CONTRACT("gzip by ISA-L", "[input][gzip]", isal_codec)
}
namespace isal_bgzf {
DUOMAP_COMPRESSION_CONTRACT("bgzip by ISA-L", "[input][gzip]", isal_bgzf_codec)
}
#endif

TEST_CASE("gzip of a capacity beyond 32 bits", "[input][gzip]") {
  // The test takes 4 GiB of address space, but writes no more than the text.
  constexpr std::uint64_t capacity = std::uint64_t{1} << 32;
  void* const space =
      ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) {
    WARN("skipped: no 4 GiB of address space");
    return;
  }
  const std::string text = compressible_text(1000);
  for (const auto& open : {open_gzip, +[](std::unique_ptr<byte_stream> stored, std::string name) {
                             return open_gzip_by_zlib(std::move(stored), std::move(name));
                           }}) {
    const std::unique_ptr<byte_stream> stream =
        open(std::make_unique<text_stream>(zlib_codec::compress(text)), "'file'");
    const std::uint64_t count = stream->read(static_cast<char*>(space), capacity);
    CHECK((std::string_view(static_cast<const char*>(space), count) == text));
    CHECK(stream->read(static_cast<char*>(space), capacity) == 0);
  }
  ::munmap(space, capacity);
}

TEMPLATE_LIST_TEST_CASE("gzip checksums and lengths are checked", "[input][gzip]", codecs) {
  const std::string stored = TestType::compress("some text");
  for (const std::size_t from_end : {1U, 4U, 5U, 8U}) {
    CAPTURE(from_end);
    std::string wrong = stored;
    char& byte = wrong[wrong.size() - from_end];
    byte = static_cast<char>(byte ^ 1);
    CHECK_THROWS_WITH(decompress<TestType>(wrong), contains("'file': its gzip data is damaged near byte "));
    // The message must also count the bytes of an earlier member. It names the trailer or its end.
    CHECK_THROWS_WITH(decompress<TestType>(stored + wrong),
                      contains("near byte " + std::to_string(2 * stored.size() - 4)) ||
                          contains("near byte " + std::to_string(2 * stored.size())));
  }
}

TEMPLATE_LIST_TEST_CASE("zero bytes behind gzip members are no text", "[input][gzip]", codecs) {
  const std::string one = TestType::compress("one");
  for (const std::size_t zeros : {1U, 10'240U, 300'000U}) {
    CAPTURE(zeros);
    CHECK(decompress<TestType>(one + std::string(zeros, '\0')) == "one");
    CHECK_THROWS_WITH(
        decompress<TestType>(one + std::string(zeros, '\0') + "x"),
        contains("at byte " + std::to_string(one.size() + zeros) + " something that is not gzip"));
  }
}

TEST_CASE("members of bgzip are parts of a stream, others are not", "[input][gzip]") {
  const std::string text = compressible_text(200'000);
  const std::string stored =
      zlib_bgzf_codec::compress(text) + zlib_codec::compress("plain") + zlib_bgzf_codec::compress("last");
  const std::unique_ptr<byte_stream> stream =
      open_gzip(std::make_unique<text_stream>(stored, 5000), "'file'");
  const auto one = stream->take_part(1);
  const auto some = stream->take_part(100'000);
  const auto rest = stream->take_part(1'000'000);
  REQUIRE((one && some && rest));
  CHECK_FALSE(stream->take_part(1));
  // The parts are read in another order than the stream gave them.
  const std::string behind = text_of(*some) + text_of(*rest);
  CHECK((text_of(*one) + behind == text));
  std::string plain(5, '\0');
  CHECK(stream->read(plain.data(), 2) == 2);
  CHECK_FALSE(stream->take_part(1));  // the stream stands inside a member
  CHECK(stream->read(plain.data() + 2, 3) == 3);
  CHECK(plain == "plain");
  CHECK(drain(*stream) == "last");
}

TEST_CASE("a text of bgzip goes on in parts behind its byte order mark", "[input][gzip]") {
  const std::string text = compressible_text(200'000);
  for (const std::string mark : {"", "\xef\xbb\xbf"}) {
    opened_content opened = content_stream(
        std::make_unique<text_stream>(zlib_bgzf_codec::compress(mark) + zlib_bgzf_codec::compress(text)),
        input_content::text, "file", "'file'");
    CHECK(opened.marked == !mark.empty());
    std::string first(100'000, '\0');
    first.resize(opened.stream->read(first.data(), first.size()));  // read in search of the mark
    by_parts rest(std::move(opened.stream));
    CHECK((first + drain(rest) == text));
    CHECK(rest.any());
  }
}

#if DUOMAP_HAS_ISAL

TEST_CASE("ISA-L and zlib read the same headers of gzip", "[input][gzip]") {
  const std::string body = deflated("text", 6, -MAX_WBITS);
  const std::string end =
      little_endian(::crc32(0, reinterpret_cast<const Bytef*>("text"), 4), 4) + little_endian(4, 4);
  const auto read_by = [](auto open, const std::string& stored) -> std::string {
    try {
      return drain(*open(std::make_unique<text_stream>(stored), "'file'"));
    } catch (const input_error&) {
      return "refused";
    }
  };
  for (unsigned flags = 0; flags < 256; ++flags) {
    std::string header = std::string("\x1f\x8b\x08", 3) + static_cast<char>(flags) + std::string(6, '\0');
    if ((flags & 4) != 0) header += little_endian(3, 2) + "abc";
    if ((flags & 8) != 0) header += std::string("name\0", 5);
    if ((flags & 16) != 0) header += std::string("comment\0", 8);
    if ((flags & 2) != 0)
      header += little_endian(
          ::crc32(0, reinterpret_cast<const Bytef*>(header.data()), static_cast<uInt>(header.size())) &
              0xffff,
          2);
    // Tries the header unchanged, and with each single bit changed.
    for (std::size_t bit = 0; bit <= 8 * header.size(); ++bit) {
      std::string changed = header;
      if (bit < 8 * header.size()) changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ 1 << bit % 8);
      CAPTURE(flags, bit);
      const std::string stored = changed + body + end;
      const std::string found = read_by(zlib_codec::open, stored);
      CHECK(read_by(isal_codec::open, stored) == found);
      if (bit == 8 * header.size()) CHECK(found == ((flags & 0xe0) == 0 ? "text" : "refused"));
    }
  }
}

#endif

TEST_CASE("a bgzip member whose size is wrong is an error, or is read in order", "[input][gzip]") {
  const std::string text = compressible_text(1000);
  const std::string stored = zlib_bgzf_codec::compress(text) + zlib_bgzf_codec::compress(text);
  for (const int change : {-900, -30, -1, +1, +30, +5000}) {
    CAPTURE(change);
    std::string wrong = stored;
    const auto size = static_cast<int>(stored.size() / 2) - 1 + change;
    wrong.replace(16, 2, little_endian(static_cast<std::uint64_t>(size), 2));
    by_parts stream(open_gzip(std::make_unique<text_stream>(wrong), "'file'"));
    std::string read;
    try {
      read = drain(stream);
    } catch (const input_error&) {
      continue;
    }
    CHECK((read == text + text));
  }
}

}  // namespace duomap::test::core_input_gzip_test

#else

namespace duomap::test::core_input_gzip_test {

TEST_CASE("a build without zlib and ISA-L says so", "[input][gzip]") {
  if (gzip_supported()) return;
  CHECK_THROWS_WITH(open_gzip(std::make_unique<text_stream>("x"), "'file.gz'"),
                    contains("built without zlib; install zlib1g-dev"));
}

}  // namespace duomap::test::core_input_gzip_test

#endif
