// Fuzzes stored files of any compression and encoding: however a stream is read, its blocks together are the
// text. The first two bytes choose how it is read.
#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/content_stream.hpp"
#include "core/record/lines.hpp"
#include "tests/core/input/support.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace {

using namespace duomap;

// Compression makes a text a thousand times smaller at most, so larger texts would only cost time.
constexpr std::size_t most_text = std::size_t{1} << 20;

/// The text, or nothing if the file is refused.
std::optional<std::string> text_of(byte_view stored, input_content content, std::uint64_t read_bytes,
                                   std::uint64_t block_bytes) {
  try {
    const format_boundary<lines> records{lines{}};
    block_reader reader(
        content_stream(std::make_unique<test::text_stream>(std::string(stored.text()), read_bytes), content,
                       "file", "the file")
            .stream,
        records, block_bytes);
    std::string text;
    block part;
    while (text.size() < most_text && reader.next(part)) {
      test::require(part.size() > 0 && part.offset() == text.size(), "a block goes on where the last ended");
      text += part.bytes().text();
    }
    return text;
  } catch (const input_error&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const byte_view stored(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto content = data[0] % 2 == 0 ? input_content::text : input_content::records;
  const auto whole = text_of(stored, content, UINT64_MAX, std::uint64_t{1} << 16);
  const auto pieces = text_of(stored, content, data[0] / 2 + 1, data[1] + 1);
  test::require(whole.has_value() == pieces.has_value() || (whole && whole->size() >= most_text) ||
                    (pieces && pieces->size() >= most_text),
                "a file is refused however it is read");
  if (!whole || !pieces) return 0;
  const std::size_t common = std::min(whole->size(), pieces->size());
  test::require(common >= most_text || whole->size() == pieces->size(), "no text is lost");
  test::require(whole->compare(0, common, *pieces, 0, common) == 0, "a text is the same however it is read");
  return 0;
}
