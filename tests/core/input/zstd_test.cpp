// Tests core/input/zstd_stream.cpp: streams of Zstandard files.
#include "core/input/compression.hpp"
#include "core/input/decompressing_stream.hpp"
#include "core/input/file_state.hpp"
#include "core/input/file_stream.hpp"
#include "core/input/zstd_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/compression_contract.hpp"
#include "tests/core/input/support.hpp"

#if DUOMAP_HAS_ZSTD

#include <zstd.h>

#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

using namespace duomap;
using test::compressible_text;

namespace {

struct zstd_codec {
  static constexpr const char* name = "zstd";
  static constexpr const char* suffix = ".zst";
  static constexpr std::size_t header_bytes = 10;
  static std::vector<int> levels() { return {-5, 1, 19}; }

  /// Writes one frame with a checksum.
  static std::string compress(const std::string& text, int level = 3) {
    const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
    REQUIRE(!ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level)));
    REQUIRE(!ZSTD_isError(ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1)));
    std::string frame(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size =
        ZSTD_compress2(context.get(), frame.data(), frame.size(), text.data(), text.size());
    REQUIRE(!ZSTD_isError(size));
    frame.resize(size);
    return frame;
  }

  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return open_zstd(std::move(stored), std::move(file));
  }
  static std::vector<std::string> strangers() {
    return {std::string(1, '\0'), "x", "\x28\xb5\x2f\xfe", std::string(600, '\0'), "plain text"};
  }
  static std::string program(const std::string& path) {
    if (std::system("zstd --version >/dev/null 2>&1") != 0) return {};
    return "zstd -q -19 " + path + " && printf more | zstd -q >> " + path + ".zst";
  }
};

/// Decompresses each frame as a part of its own.
struct zstd_frames_codec : zstd_codec {
  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return std::make_unique<test::by_parts>(open_zstd(std::move(stored), std::move(file)));
  }
};

std::string decompress(const std::string& stored, std::uint64_t capacity = 4096,
                       std::uint64_t most = UINT64_MAX) {
  return test::decompress<zstd_codec>(stored, capacity, most);
}

/// A frame that decoders skip; `kind` is 0 to 15.
std::string skippable(const std::string& content, int kind = 0) {
  std::string frame("\x50\x2a\x4d\x18", 4);
  frame[0] = static_cast<char>(frame[0] + kind);
  for (int shift = 0; shift < 32; shift += 8) {
    frame += static_cast<char>(content.size() >> shift & 0xff);
  }
  return frame + content;
}

}  // namespace

DUOMAP_COMPRESSION_CONTRACT("zstd", "[input][zstd]", zstd_codec)

namespace zstd_frames {
DUOMAP_COMPRESSION_CONTRACT("zstd's frames apart", "[input][zstd]", zstd_frames_codec)
}

TEST_CASE("zstd frames are parts of a stream, large ones are not", "[input][zstd]") {
  const std::string text = compressible_text(300'000);
  // Two frames are special: one gives no size, like a frame from a pipe, and decoders skip the other.
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  std::string untold(ZSTD_compressBound(text.size()), '\0');
  ZSTD_outBuffer out{untold.data(), untold.size(), 0};
  for (const auto& [size, end] : {std::pair(text.size(), ZSTD_e_continue), std::pair(0UL, ZSTD_e_end)}) {
    ZSTD_inBuffer in{text.data(), size, 0};
    REQUIRE(ZSTD_compressStream2(context.get(), &out, &in, end) == 0);
  }
  untold.resize(out.pos);
  const std::string large(decompressing_stream::most_part_bytes + 1, 'z');
  const std::string stored =
      zstd_codec::compress(text) + skippable("x") + untold + zstd_codec::compress(large);
  const std::unique_ptr<byte_stream> stream =
      open_zstd(std::make_unique<test::text_stream>(stored, 5000), "'file'");
  const auto read = [](stream_part& part) {
    std::string bytes(part.most_bytes(), '\0');
    bytes.resize(part.read(bytes.data()));
    return bytes;
  };
  const auto first = stream->take_part(1);
  const auto second = stream->take_part(1);
  REQUIRE((first && second));
  CHECK((read(*second) == text));
  CHECK((read(*first) == text));
  CHECK_FALSE(stream->take_part(1));
  CHECK((test::drain(*stream, 1 << 20) == large));
}

TEST_CASE("the beginning of a large frame is seen and the frame is a part all the same", "[input][zstd]") {
  // The text compresses badly, so more than 160 KiB are stored.
  std::string text;
  std::mt19937 random(test::seed());
  while (text.size() < 400'000) text += std::to_string(random()) + " ";
  const test::temporary_folder folder;
  const std::string stored = zstd_codec::compress(text);
  REQUIRE(stored.size() > 170'000);
  const std::string path = folder.write("file.zst", stored + stored);
  const auto opened = [&] {
    file_descriptor file = open_for_reading(path);
    static file_state stamp(file.get(), path);
    return open_zstd(
        std::make_unique<file_stream>(std::move(file), "'file'", nullptr, 2 * stored.size(), &stamp),
        "'file'");
  };
  const auto stream = opened();
  std::string seen(300, '\0');
  REQUIRE(stream->look(0, seen.data(), seen.size()) == seen.size());
  CHECK(seen == text.substr(0, seen.size()));
  for (int i = 0; i < 2; ++i) {
    const auto part = stream->take_part(1);
    REQUIRE(part);
    std::string bytes(part->most_bytes(), '\0');
    bytes.resize(part->read(bytes.data()));
    CHECK((bytes == text));
    CHECK_FALSE(stream->look(0, seen.data(), 1));  // look() works only at the beginning
  }
  CHECK(stream->read(seen.data(), 1) == 0);
  CHECK((test::drain(*opened(), 1000) == text + text));
}

TEST_CASE("zstd frames one after another are one text, skippable ones are none", "[input][zstd]") {
  std::string stored = skippable("first", 15);
  std::string text;
  for (const std::size_t size : {0U, 5U, 0U, 0U, 300'000U, 1U, 0U}) {
    text += compressible_text(size);
    stored += zstd_codec::compress(compressible_text(size)) +
              skippable(std::string(size, 's'), static_cast<int>(size % 16));
  }
  CHECK((decompress(stored) == text));
  CHECK((decompress(stored, 1000, 1) == text));
  CHECK(decompress(skippable("")).empty());
}

TEST_CASE("a skippable zstd frame cut anywhere is an error", "[input][zstd]") {
  const std::string stored = zstd_codec::compress(compressible_text(200));
  const std::string skipped = skippable("skipped");
  for (std::size_t size = 1; size < skipped.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_WITH(decompress(stored + skipped.substr(0, size)), test::contains("it is truncated"));
  }
}

TEST_CASE("a large zstd file cut anywhere is an error", "[input][zstd]") {
  std::mt19937 random(test::seed());
  std::string text(400'000, '\0');  // random bytes: several blocks that hardly compress
  for (char& c : text) {
    c = static_cast<char>(random());
  }
  const std::string stored = zstd_codec::compress(text);
  for (int round = 0; round < 50; ++round) {
    const std::size_t size = 1 + random() % (stored.size() - 1);
    CAPTURE(size);
    CHECK_THROWS_WITH(decompress(stored.substr(0, size), 50'000), test::contains("it is truncated"));
  }
}

TEST_CASE("zstd checksums are checked", "[input][zstd]") {
  std::string wrong = zstd_codec::compress("some text");
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  CHECK_THROWS_WITH(decompress(wrong), test::contains("'file': its zstd data is damaged at or after byte "));
}

TEST_CASE("a zstd window beyond the limit is an error that says so", "[input][zstd]") {
  // Writes a frame by hand: the magic number, a header byte of 0 (a window size follows), a window of 2^(10 +
  // exponent) bytes, and a last, empty, raw block.
  const auto frame = [](int exponent) {
    return std::string("\x28\xb5\x2f\xfd\x00", 5) + static_cast<char>(exponent << 3) +
           std::string("\x01\x00\x00", 3);
  };
  CHECK(decompress(frame(0)).empty());
  CHECK(decompress(frame(17)).empty());
  const std::string before = zstd_codec::compress("text");
  CHECK_THROWS_WITH(decompress(before + frame(18)),
                    test::contains("'file': the zstd frame at byte " + std::to_string(before.size()) +
                                   " needs a window larger than 128 MiB"));
  test::by_parts frames(open_zstd(std::make_unique<test::text_stream>(frame(18)), "'file'"));
  CHECK_THROWS_WITH(test::drain(frames), test::contains("the zstd frame at byte 0 needs a window"));
  CHECK_THROWS_WITH(decompress(frame(21)), test::contains("the zstd frame at byte 0 needs a window"));
}

#else

TEST_CASE("a build without zstd says so", "[input][zstd]") {
  using namespace duomap;
  CHECK_FALSE(zstd_supported());
  CHECK_THROWS_WITH(open_zstd(std::make_unique<test::text_stream>("x"), "'file'"),
                    test::contains("built without zstd; install libzstd-dev"));
}

#endif

namespace duomap::test::core_input_zstd_test {}  // namespace duomap::test::core_input_zstd_test
