// Tests core/input/lz4_stream.cpp: streams of lz4 files.
#include "core/input/compression.hpp"
#include "core/input/lz4_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/compression_contract.hpp"
#include "tests/core/input/support.hpp"

#if DUOMAP_HAS_LZ4

#include <lz4frame.h>

#include <cstdlib>
#include <vector>

namespace duomap::test::core_input_lz4_test {
namespace {

struct lz4_codec {
  static constexpr const char* name = "lz4";
  static constexpr const char* suffix = ".lz4";
  static constexpr std::size_t header_bytes = 10;
  static std::vector<int> levels() { return {0, 3, 12}; }

  /// Writes one frame with a checksum.
  static std::string compress(const std::string& text, int level = 0) {
    LZ4F_preferences_t how{};
    how.compressionLevel = level;
    how.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    std::string frame(LZ4F_compressFrameBound(text.size(), &how), '\0');
    const std::size_t size = LZ4F_compressFrame(frame.data(), frame.size(), text.data(), text.size(), &how);
    REQUIRE(!LZ4F_isError(size));
    frame.resize(size);
    return frame;
  }

  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return open_lz4(std::move(stored), std::move(file));
  }
  static std::vector<std::string> strangers() {
    return {std::string(1, '\0'), "x", "\x04\x22\x4d\x19", std::string(600, '\0'), "plain text"};
  }
  static std::string program(const std::string& path) {
    if (std::system("lz4 --version >/dev/null 2>&1") != 0) return {};
    return "lz4 -q -9 " + path + " " + path + ".lz4 && printf more | lz4 -q >> " + path + ".lz4";
  }
};

}  // namespace

DUOMAP_COMPRESSION_CONTRACT("lz4", "[input][lz4]", lz4_codec)

TEST_CASE("skippable lz4 frames are no text", "[input][lz4]") {
  const std::string skipped("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11);
  CHECK(test::decompress<lz4_codec>(skipped + lz4_codec::compress("text") + skipped) == "text");
}

}  // namespace duomap::test::core_input_lz4_test

#else

TEST_CASE("a build without lz4 says so", "[input][lz4]") {
  using namespace duomap;
  CHECK_FALSE(lz4_supported());
  CHECK_THROWS_WITH(open_lz4(std::make_unique<test::text_stream>("x"), "'file'"),
                    test::contains("built without lz4; install liblz4-dev"));
}

#endif
