// Fuzzes the headers of .npy and IDX files: they are understood or refused, and nothing behind the file's end
// is read.
#include "core/error.hpp"
#include "numeric/common/idx_header.hpp"
#include "numeric/common/npy_header.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  const test::exact_copy copy(data, size);
  for (const auto parse : {parse_npy_header, parse_idx_header}) {
    try {
      const array_header header = parse(copy.view(), "the file");
      test::require(header.data_offset <= size, "elements begin within the file");
      const unsigned bytes = header.type.bytes;
      test::require(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, "elements have a size");
    } catch (const error&) {
    }
  }
  return 0;
}
