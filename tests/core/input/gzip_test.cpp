// Streams of gzip files.
#include "core/input/compression.hpp"
#include "core/input/gzip_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/compression_contract.hpp"
#include "tests/core/input/support.hpp"

#if DUOMAP_HAS_ZLIB

#include <sys/mman.h>
#include <zlib.h>

#include <cstdlib>
#include <vector>

using namespace duomap;

namespace {

struct gzip_codec {
  static constexpr const char* name = "gzip";
  static constexpr const char* suffix = ".gz";
  static std::vector<int> levels() { return {0, 1, 9}; }

  static std::string compress(const std::string& text, int level = 6) {
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

  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return gzip_stream(std::move(stored), std::move(file));
  }
  static std::vector<std::string> strangers() {
    return {std::string(1, '\0'), "x", "\x1f\x8c", std::string(600, '\0'), "BZh9", "plain text"};
  }
  static std::string program(const std::string& path) {
    if (std::system("gzip --version >/dev/null 2>&1") != 0) return {};
    return "gzip -9 " + path + " && printf more | gzip >> " + path + ".gz";
  }
};

}  // namespace

DUOMAP_COMPRESSION_CONTRACT("gzip", "[input][gzip]", gzip_codec)

TEST_CASE("gzip of a capacity beyond 32 bits", "[input][gzip]") {
  // Address space only: nothing beyond the text is written.
  constexpr std::uint64_t capacity = std::uint64_t{1} << 32;
  void* const space =
      ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) {
    WARN("skipped: no 4 GiB of address space");
    return;
  }
  const std::string text = test::compressible_text(1000);
  const std::unique_ptr<byte_stream> stream =
      gzip_stream(std::make_unique<test::text_stream>(gzip_codec::compress(text)), "'file'");
  const std::uint64_t count = stream->read(static_cast<char*>(space), capacity);
  CHECK((std::string_view(static_cast<const char*>(space), count) == text));
  CHECK(stream->read(static_cast<char*>(space), capacity) == 0);
  ::munmap(space, capacity);
}

TEST_CASE("gzip checksums and lengths are checked", "[input][gzip]") {
  const std::string stored = gzip_codec::compress("some text");
  for (const std::size_t from_end : {1U, 4U, 5U, 8U}) {
    std::string wrong = stored;
    char& byte = wrong[wrong.size() - from_end];
    byte = static_cast<char>(byte ^ 1);
    CHECK_THROWS_WITH(test::decompress<gzip_codec>(wrong),
                      test::contains("'file': its gzip data is damaged near byte "));
  }
}

#else

TEST_CASE("a build without zlib says so", "[input][gzip]") {
  using namespace duomap;
  CHECK_FALSE(gzip_supported());
  CHECK_THROWS_WITH(gzip_stream(std::make_unique<test::text_stream>("x"), "'file.gz'"),
                    test::contains("built without zlib; install zlib1g-dev"));
}

#endif

namespace duomap::test::core_input_gzip_test {}  // namespace duomap::test::core_input_gzip_test
