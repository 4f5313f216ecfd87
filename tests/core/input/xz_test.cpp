// Tests core/input/xz_stream.cpp: streams of xz files.
#include "core/input/compression.hpp"
#include "core/input/xz_stream.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/compression_contract.hpp"
#include "tests/core/input/support.hpp"

#if DUOMAP_HAS_LZMA

#include <lzma.h>

#include <cstdlib>
#include <vector>

namespace duomap::test::core_input_xz_test {
namespace {

struct xz_codec {
  static constexpr const char* name = "xz";
  static constexpr const char* suffix = ".xz";
  static constexpr std::size_t header_bytes = 10;
  static std::vector<int> levels() { return {0, 6, 9}; }

  static std::string compress(const std::string& text, int level = 6) {
    std::string stored(lzma_stream_buffer_bound(text.size()), '\0');
    std::size_t size = 0;
    REQUIRE(lzma_easy_buffer_encode(static_cast<std::uint32_t>(level), LZMA_CHECK_CRC32, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                    reinterpret_cast<std::uint8_t*>(stored.data()), &size,
                                    stored.size()) == LZMA_OK);
    stored.resize(size);
    return stored;
  }

  static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string file) {
    return open_xz(std::move(stored), std::move(file));
  }
  static std::vector<std::string> strangers() {
    return {std::string(1, '\0'), "x", std::string("\xfd\x37\x7a\x58\x5a\x01", 6), "plain text"};
  }
  static std::string program(const std::string& path) {
    if (std::system("xz --version >/dev/null 2>&1") != 0) return {};
    return "xz -q -9 " + path + " && printf more | xz -q >> " + path + ".xz";
  }
};

}  // namespace

DUOMAP_COMPRESSION_CONTRACT("xz", "[input][xz]", xz_codec)

TEST_CASE("xz padding between and behind streams is no text", "[input][xz]") {
  const std::string one = xz_codec::compress("one");
  const std::string padding(8, '\0');
  CHECK(test::decompress<xz_codec>(one + padding + one + padding) == "oneone");
}

TEST_CASE("an xz dictionary beyond the limit is an error that says so", "[input][xz]") {
  // Asks for a dictionary of 1 GiB by hand: for a text this small, no preset of liblzma does.
  lzma_options_lzma options;
  REQUIRE_FALSE(lzma_lzma_preset(&options, 0));
  options.dict_size = std::uint32_t{1} << 30;
  lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string stored(1000, '\0');
  std::size_t size = 0;
  const std::string text = "text";
  REQUIRE(lzma_stream_buffer_encode(
              filters, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
              text.size(), reinterpret_cast<std::uint8_t*>(stored.data()), &size, stored.size()) == LZMA_OK);
  CHECK_THROWS_WITH(test::decompress<xz_codec>(stored.substr(0, size)),
                    test::contains("'file': its xz data needs a dictionary larger than 128 MiB"));
}

}  // namespace duomap::test::core_input_xz_test

#else

TEST_CASE("a build without liblzma says so", "[input][xz]") {
  using namespace duomap;
  CHECK_FALSE(xz_supported());
  CHECK_THROWS_WITH(open_xz(std::make_unique<test::text_stream>("x"), "'file'"),
                    test::contains("built without liblzma; install liblzma-dev"));
}

#endif
