// Tests that a GPU's tiles give the host's records in the same order.
#include "tests/gpu/record/record_tile.hpp"

#include "core/record/lines.hpp"
#include "core/record/words.hpp"
#include "gpu/device/device.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/no_gpu.hpp"

#include <random>
#include <string>

#if DUOMAP_HAS_CUDA

namespace duomap::test::gpu_record_record_tile_test {
namespace {

byte_view bytes_of(byte_view word) { return word; }
byte_view bytes_of(const line& l) { return l.text; }

template <class Format>
void check_places(const std::string& text) {
  const int device = gpu::discover().devices.front().index;
  record_places expected;
  const std::string padded = text + std::string(read_padding, '\0');
  Format{}.for_each_record({padded.data(), text.size(), 0, 0}, [&](const auto& record) {
    const byte_view bytes = bytes_of(record);
    expected.emplace_back(bytes.data - padded.data(), bytes.size);
  });
  CHECK((places_by_blocks<Format>(text, device) == expected));
  CHECK((places_by_warps<Format>(text, device) == expected));
}

}  // namespace

TEST_CASE("GPU tiles: the same records as on the host", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  for (const std::uint64_t size :
       {1u, 31u, 32u, 33u, 1023u, 1024u, 1025u, 16'383u, 16'384u, 16'385u, 100'000u}) {
    CAPTURE(size);
    const std::string mixed = random_words(random, size, 1000).substr(0, size);
    for (const std::string& text : {mixed, std::string(size, ' '), std::string(size, 'w'),
                                    std::string(size, '\n'), mixed + std::string(size, 'x') + "\n" + mixed}) {
      check_places<words>(text);
      check_places<lines>(text);
    }
  }
}

// A tile without quotes is read without a search for quotes, so lines with few quotes matter, and lines that
// begin in one tile and have their quote in the next one.
TEST_CASE("GPU tiles: the same fields as on the host, with few or many quotes", "[gpu]") {
  if (no_gpu()) return;
  auto random = std::mt19937_64(seed());
  const int device = gpu::discover().devices.front().index;
  for (const std::uint64_t every : {3u, 100u, 3000u, 40'000u}) {
    for (const std::uint64_t line_bytes : {10u, 300u, 5000u}) {
      CAPTURE(every, line_bytes);
      std::string text;
      while (text.size() < 100'000) {
        text += random() % every == 0        ? "\""
                : random() % 6 == 0          ? ","
                : random() % line_bytes == 0 ? (random() % 2 == 0 ? "\r\n" : "\n")
                                             : "x";
      }
      for (const char quote : {'"', '\0'}) {
        const fields format{.delimiter = ',', .quote = quote};
        record_places expected;
        const std::string padded = text + std::string(read_padding, '\0');
        format.for_each_record({padded.data(), text.size(), 0, 0}, [&](const field_list& record) {
          expected.emplace_back(record.whole().text.data - padded.data(), field_sum(record));
        });
        CHECK((fields_by_warps(text, format, device) == expected));
      }
    }
  }
}

}  // namespace duomap::test::gpu_record_record_tile_test

#endif
