// Streams of Zstandard files.
#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/zstd_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core_input_support.hpp"

#if DUOMAP_HAS_ZSTD

#include <zstd.h>

#include <cstdlib>
#include <stdexcept>

using namespace duomap;
using test::text_stream;

namespace {

/// One frame, with a checksum.
std::string compress(const std::string& text, int level = 3) {
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

/// A frame that decoders skip; `kind` is 0 to 15.
std::string skippable(const std::string& content, int kind = 0) {
  std::string frame("\x50\x2a\x4d\x18", 4);
  frame[0] = static_cast<char>(frame[0] + kind);
  for (int shift = 0; shift < 32; shift += 8) {
    frame += static_cast<char>(content.size() >> shift & 0xff);
  }
  return frame + content;
}

std::string decompress(const std::string& stored, std::uint64_t capacity = 4096,
                       std::uint64_t most = UINT64_MAX) {
  const std::unique_ptr<byte_stream> stream =
      zstd_stream(std::make_unique<text_stream>(stored, most), "'file.zst'");
  return test::drain(*stream, capacity);
}

std::string some_text(std::size_t size) {
  std::mt19937 random(test::seed());
  return test::random_text(random, size / 2) + std::string(size - size / 2, 'z');
}

}  // namespace

TEST_CASE("zstd files of every size are read", "[input][zstd]") {
  for (const std::size_t size : {0U, 1U, 2U, 31U, 4096U, 131'072U, 700'001U}) {
    const std::string text = some_text(size);
    for (const int level : {-5, 1, 19}) {
      const std::string stored = compress(text, level);
      for (const std::uint64_t capacity : {7U, 65'536U, 1'000'000U}) {
        CAPTURE(size, level, capacity);
        CHECK((decompress(stored, capacity) == text));
      }
    }
  }
}

TEST_CASE("zstd data may come byte by byte", "[input][zstd]") {
  const std::string text = some_text(3000);
  CHECK((decompress(compress(text) + compress("and more"), 1, 1) == text + "and more"));
}

TEST_CASE("zstd frames one after another are one text, skippable ones are none", "[input][zstd]") {
  std::string stored = skippable("first", 15);
  std::string text;
  for (const std::size_t size : {0U, 5U, 0U, 0U, 300'000U, 1U, 0U}) {
    text += some_text(size);
    stored += compress(some_text(size)) + skippable(std::string(size, 's'), static_cast<int>(size % 16));
  }
  CHECK((decompress(stored) == text));
  CHECK((decompress(stored, 1000, 1) == text));
  CHECK(decompress(skippable("")).empty());
}

TEST_CASE("a zstd file cut anywhere is an error", "[input][zstd]") {
  const std::string stored = compress(some_text(200));
  CHECK_THROWS_WITH(decompress(""), test::contains("'file.zst': it is empty, not zstd"));
  for (std::size_t size = 1; size < stored.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(decompress(stored.substr(0, size)), input_error);
    CHECK_THROWS_WITH(
        decompress(stored.substr(0, size)),
        test::contains("'file.zst': it is truncated, it ends at byte " + std::to_string(size) + " "));
    // The same inside a second frame, whose place is counted from the start of the file.
    const std::string two = stored + stored.substr(0, size);
    CHECK_THROWS_WITH(decompress(two), test::contains("it ends at byte " + std::to_string(two.size()) + " "));
  }
  const std::string skipped = skippable("skipped");
  for (std::size_t size = 1; size < skipped.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_WITH(decompress(stored + skipped.substr(0, size)), test::contains("it is truncated"));
  }
}

TEST_CASE("a large zstd file cut anywhere is an error", "[input][zstd]") {
  std::mt19937 random(test::seed());
  std::string text(400'000, '\0');  // several blocks that hardly compress
  for (char& c : text) {
    c = static_cast<char>(random());
  }
  const std::string stored = compress(text);
  for (int round = 0; round < 50; ++round) {
    const std::size_t size = 1 + random() % (stored.size() - 1);
    CAPTURE(size);
    CHECK_THROWS_WITH(decompress(stored.substr(0, size), 50'000), test::contains("it is truncated"));
  }
}

TEST_CASE("a zstd file with a wrong bit is an error or gives the same text", "[input][zstd]") {
  const std::string text = some_text(200);
  const std::string stored = compress(text);
  std::size_t found = 0;
  for (std::size_t bit = 0; bit < 8 * stored.size(); ++bit) {
    CAPTURE(bit);
    std::string wrong = stored;
    wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << bit % 8));
    std::string read;
    try {
      read = decompress(wrong);
    } catch (const input_error&) {
      ++found;
      continue;
    }
    CHECK((read == text));  // a bit that means nothing, such as the header's unused one
  }
  CHECK(found >= 8 * (stored.size() - 10));
}

TEST_CASE("zstd checksums are checked", "[input][zstd]") {
  std::string wrong = compress("some text");
  wrong.back() = static_cast<char>(wrong.back() ^ 1);
  CHECK_THROWS_WITH(decompress(wrong),
                    test::contains("'file.zst': its zstd data is damaged at or after byte "));
}

TEST_CASE("what follows the last zstd frame is an error that names its place", "[input][zstd]") {
  const std::string stored = compress("some text");
  for (const std::string& rest : {std::string(1, '\0'), std::string("x"), std::string("\x28\xb5\x2f\xfe"),
                                  std::string(600, '\0'), std::string("plain text")}) {
    CAPTURE(rest);
    CHECK_THROWS_WITH(
        decompress(stored + rest),
        test::contains("'file.zst': at byte " + std::to_string(stored.size()) + " something that is not"));
  }
}

TEST_CASE("what is not zstd is an error", "[input][zstd]") {
  for (const std::string& stored :
       {std::string("plain text"), std::string("x"), std::string("PK\x03\x04"), std::string(100, '\0')}) {
    CHECK_THROWS_WITH(decompress(stored),
                      test::contains("'file.zst': it does not begin like zstd at byte 0"));
  }
}

TEST_CASE("a zstd window beyond the limit is an error that says so", "[input][zstd]") {
  // By hand: magic, a header byte of zero (a window follows), a window of 2^(10 + exponent) bytes, and one
  // last, empty, raw block.
  const auto frame = [](int exponent) {
    return std::string("\x28\xb5\x2f\xfd\x00", 5) + static_cast<char>(exponent << 3) +
           std::string("\x01\x00\x00", 3);
  };
  CHECK(decompress(frame(0)).empty());
  CHECK(decompress(frame(17)).empty());
  const std::string before = compress("text");
  CHECK_THROWS_WITH(decompress(before + frame(18)),
                    test::contains("'file.zst': the zstd frame at byte " + std::to_string(before.size()) +
                                   " needs a window larger than 128 MiB"));
  CHECK_THROWS_WITH(decompress(frame(21)), test::contains("the zstd frame at byte 0 needs a window"));
}

TEST_CASE("an error of the stored zstd file is passed on", "[input][zstd]") {
  class broken final : public byte_stream {
   public:
    std::uint64_t read(char*, std::uint64_t) override { throw input_error("no more disk"); }
  };
  const std::unique_ptr<byte_stream> stream = zstd_stream(std::make_unique<broken>(), "'file.zst'");
  char byte = 0;
  CHECK_THROWS_WITH(stream->read(&byte, 1), "no more disk");
}

TEST_CASE("files of the zstd program are read", "[input][zstd]") {
  if (std::system("zstd --version >/dev/null 2>&1") != 0) {
    WARN("skipped: there is no zstd program");
    return;
  }
  const test::temporary_folder folder;
  const std::string text = some_text(300'000);
  const std::string path = folder.write("a file", text);
  REQUIRE(std::system(
              ("zstd -q -19 '" + path + "' && printf more | zstd -q >> '" + path + ".zst'").c_str()) == 0);
  std::ifstream file(path + ".zst", std::ios::binary);
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  CHECK((decompress(stored) == text + "more"));
}

#else

TEST_CASE("a build without zstd says so", "[input][zstd]") {
  using namespace duomap;
  CHECK_FALSE(zstd_supported());
  CHECK_THROWS_WITH(zstd_stream(std::make_unique<test::text_stream>("x"), "'file.zst'"),
                    test::contains("built without zstd; install libzstd-dev"));
}

#endif
