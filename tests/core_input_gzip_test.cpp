// Streams of gzip files.
#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/gzip_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core_input_support.hpp"

#if DUOMAP_HAS_ZLIB

#include <sys/mman.h>
#include <zlib.h>

#include <cstdlib>
#include <stdexcept>

using namespace duomap;
using test::text_stream;

namespace {

/// One gzip member.
std::string compress(const std::string& text, int level = 6) {
  z_stream zlib{};
  REQUIRE(deflateInit2(&zlib, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
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

std::string decompress(const std::string& stored, std::uint64_t capacity = 4096,
                       std::uint64_t most = UINT64_MAX) {
  const std::unique_ptr<byte_stream> stream =
      gzip_stream(std::make_unique<text_stream>(stored, most), "'file.gz'");
  return test::drain(*stream, capacity);
}

std::string some_text(std::size_t size) {
  std::mt19937 random(test::seed());
  return test::random_text(random, size / 2) + std::string(size - size / 2, 'z');
}

}  // namespace

TEST_CASE("gzip files of every size are read", "[input][gzip]") {
  for (const std::size_t size : {0U, 1U, 2U, 31U, 4096U, 32'768U, 700'001U}) {
    const std::string text = some_text(size);
    for (const int level : {0, 1, 9}) {
      const std::string stored = compress(text, level);
      for (const std::uint64_t capacity : {7U, 65'536U, 1'000'000U}) {
        CAPTURE(size, level, capacity);
        CHECK((decompress(stored, capacity) == text));
      }
    }
  }
}

TEST_CASE("gzip data may come byte by byte", "[input][gzip]") {
  const std::string text = some_text(3000);
  CHECK((decompress(compress(text) + compress("and more"), 1, 1) == text + "and more"));
}

TEST_CASE("gzip members one after another are one text", "[input][gzip]") {
  std::string stored;
  std::string text;
  for (const std::size_t size : {0U, 5U, 0U, 0U, 100'000U, 1U, 0U}) {
    text += some_text(size);
    stored += compress(some_text(size));
  }
  CHECK((decompress(stored) == text));
}

TEST_CASE("gzip of a capacity beyond 32 bits", "[input][gzip]") {
  // Address space only: nothing beyond the text is written.
  constexpr std::uint64_t capacity = std::uint64_t{1} << 32;
  void* const space =
      ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) {
    WARN("skipped: no 4 GiB of address space");
    return;
  }
  const std::string text = some_text(1000);
  const std::unique_ptr<byte_stream> stream =
      gzip_stream(std::make_unique<text_stream>(compress(text)), "'file.gz'");
  const std::uint64_t count = stream->read(static_cast<char*>(space), capacity);
  CHECK((std::string_view(static_cast<const char*>(space), count) == text));
  CHECK(stream->read(static_cast<char*>(space), capacity) == 0);
  ::munmap(space, capacity);
}

TEST_CASE("a gzip file cut anywhere is an error", "[input][gzip]") {
  const std::string stored = compress(some_text(200));
  CHECK_THROWS_WITH(decompress(""), test::contains("'file.gz': it is empty, not gzip"));
  for (std::size_t size = 1; size < stored.size(); ++size) {
    CAPTURE(size);
    CHECK_THROWS_AS(decompress(stored.substr(0, size)), input_error);
    CHECK_THROWS_WITH(
        decompress(stored.substr(0, size)),
        test::contains("'file.gz': it is truncated, it ends at byte " + std::to_string(size) + " "));
    // The same inside a second member, whose place is counted from the start of the file.
    const std::string two = stored + stored.substr(0, size);
    CHECK_THROWS_WITH(decompress(two), test::contains("it ends at byte " + std::to_string(two.size()) + " "));
  }
}

TEST_CASE("a gzip file with a wrong bit is an error or gives the same text", "[input][gzip]") {
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
    CHECK((read == text));  // a bit that means nothing, such as the time stamp's
  }
  CHECK(found >= 8 * (stored.size() - 10));  // all but the header's 10 bytes matter
}

TEST_CASE("gzip checksums and lengths are checked", "[input][gzip]") {
  const std::string stored = compress("some text");
  for (const std::size_t from_end : {1U, 4U, 5U, 8U}) {
    std::string wrong = stored;
    char& byte = wrong[wrong.size() - from_end];
    byte = static_cast<char>(byte ^ 1);
    CHECK_THROWS_WITH(decompress(wrong), test::contains("'file.gz': its gzip data is damaged near byte "));
  }
}

TEST_CASE("what follows the last gzip member is an error that names its place", "[input][gzip]") {
  const std::string stored = compress("some text");
  for (const std::string& rest : {std::string(1, '\0'), std::string("x"), std::string("\x1f\x8c"),
                                  std::string(600, '\0'), std::string("BZh9"), std::string("plain text")}) {
    CAPTURE(rest);
    CHECK_THROWS_WITH(
        decompress(stored + rest),
        test::contains("'file.gz': at byte " + std::to_string(stored.size()) + " something that is not"));
  }
}

TEST_CASE("what is not gzip is an error", "[input][gzip]") {
  for (const std::string& stored : {std::string("plain text"), std::string("x"), std::string("PK\x03\x04"),
                                    std::string("\x1f\x9d compress"), std::string(100, '\0')}) {
    CHECK_THROWS_WITH(decompress(stored), test::contains("'file.gz': it does not begin like gzip at byte 0"));
  }
}

TEST_CASE("an error of the stored gzip file is passed on", "[input][gzip]") {
  class broken final : public byte_stream {
   public:
    std::uint64_t read(char*, std::uint64_t) override { throw input_error("no more disk"); }
  };
  const std::unique_ptr<byte_stream> stream = gzip_stream(std::make_unique<broken>(), "'file.gz'");
  char byte = 0;
  CHECK_THROWS_WITH(stream->read(&byte, 1), "no more disk");
}

TEST_CASE("files of the gzip program are read", "[input][gzip]") {
  if (std::system("gzip --version >/dev/null 2>&1") != 0) {
    WARN("skipped: there is no gzip program");
    return;
  }
  const test::temporary_folder folder;
  const std::string text = some_text(300'000);
  const std::string path = folder.write("a file", text);
  REQUIRE(std::system(("gzip -9 '" + path + "' && printf more | gzip >> '" + path + ".gz'").c_str()) == 0);
  std::ifstream file(path + ".gz", std::ios::binary);
  const std::string stored{std::istreambuf_iterator<char>(file), {}};
  CHECK((decompress(stored) == text + "more"));
}

#else

TEST_CASE("a build without zlib says so", "[input][gzip]") {
  using namespace duomap;
  CHECK_FALSE(gzip_supported());
  CHECK_THROWS_WITH(gzip_stream(std::make_unique<test::text_stream>("x"), "'file.gz'"),
                    test::contains("built without zlib; install zlib1g-dev"));
}

#endif
