// Fuzzes stored partials of each kind: whole files, and headers and partitions with right checksums. A
// partial that was read stays the same when it is stored and read again. The first byte of the input chooses
// the kind.
#include "core/error.hpp"
#include "core/partial/stored/checksum.hpp"
#include "core/partial/stored/partial_reader.hpp"
#include "core/partial/stored/partial_writer.hpp"
#include "core/partial/stored/partitions.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace duomap;

void read_file(byte_view bytes) {
  const partial_reader reader(bytes, "fuzz");
  for (unsigned p = 0; p < reader.partitions(); ++p) static_cast<void>(reader.partition(p));
}

/// Reads a header with its right checksum.
void read_header(byte_view header) {
  encoder file;
  file.raw({partial_magic, sizeof partial_magic});
  file.object(partial_header::version);
  file.object(std::uint32_t{0});
  const std::uint64_t begin = file.bytes().size();
  file.raw(header);
  file.object(begin);
  file.object(checksum_of(header));
  file.raw({partial_magic, sizeof partial_magic});
  read_file(std::string_view(file.bytes()));
}

template <class Task>
std::string stored_again(const Task& task, byte_view bytes, unsigned p) {
  auto values = empty_partial(task);
  const covered_input whole({{.name = "first", .units = 1000}, {.name = "second", .stream = true}});
  detail::entry_decoder from(bytes, "fuzz", whole);
  detail::stored_kind<Task>::load(from, p, task, values);
  from.expect_end();
  detail::entry_encoder to;
  detail::stored_kind<Task>::store(values, p, task, to);
  return to.bytes();
}

template <class Task>
void read_partition(const Task& task, byte_view bytes, unsigned p) {
  const std::string once = stored_again(task, bytes, p % detail::stored_kind<Task>::partitions(task));
  const std::string twice =
      stored_again(task, std::string_view(once), p % detail::stored_kind<Task>::partitions(task));
  test::require(once == twice, "what was stored is read as it was");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const test::exact_copy copy(data + 2, size - 2);
  try {
    switch (data[0] % 9) {
      case 0:
        read_file(copy.view());
        break;
      case 1:
        read_header(copy.view());
        break;
      case 2:
        read_partition(test::word_counts{}, copy.view(), data[1]);
        break;
      case 3:
        read_partition(test::word_heads<8>{}, copy.view(), data[1]);
        break;
      case 4:
        read_partition(test::cell_moments{}, copy.view(), data[1]);
        break;
      case 5:
        read_partition(test::extremes{}, copy.view(), data[1]);
        break;
      case 6:
        read_partition(test::largest_rows{}, copy.view(), data[1]);
        break;
      case 7:
        read_partition(test::lines_by_head{.grouped = true}, copy.view(), data[1]);
        break;
      default:
        read_partition(test::lines_by_head{}, copy.view(), data[1]);
        break;
    }
  } catch (const input_error&) {
  }
  return 0;
}
