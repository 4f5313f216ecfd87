// Fuzzes delimited text: its lines and fields together are the text, and get() finds the same fields as
// for_each(). The first byte of the input is the delimiter.
#include "core/chunk.hpp"
#include "core/record/fields.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  if (size == 0) return 0;
  const char delimiter = static_cast<char>(data[0]);
  if (delimiter == '\n') return 0;
  const test::exact_copy copy(data + 1, size - 1);
  const chunk part{copy.view().data, copy.view().size, 0, 0};
  std::string joined;
  fields{.delimiter = delimiter}.for_each_record(part, [&](const field_list& record) {
    test::require(record.whole().offset == joined.size(), "a line stands where the one before it ended");
    std::uint64_t count = 0;
    record.for_each([&](std::uint64_t index, byte_view field) {
      test::require(index == count, "fields come in order");
      byte_view same;
      // Only for the first fields, because each get() reads the line from its begin.
      test::require(
          index > 100 || (record.get(index, same) && same.data == field.data && same.size == field.size),
          "get() finds the field that for_each() shows");
      if (count++ > 0) joined += delimiter;
      joined += field.text();
    });
    byte_view none;
    test::require(!record.get(count, none) && none.data == nullptr, "there are no fields behind the last");
    joined += '\n';
  });
  std::string whole(copy.view().text());
  if (!whole.empty() && whole.back() != '\n') whole += '\n';
  test::require(joined == whole, "lines and fields make up the text");

  fields{.delimiter = delimiter, .quote = '"'}.for_each_record(part, [&](const field_list& record) {
    std::uint64_t count = 0;
    const char* last = record.whole().text.data;
    record.for_each([&](std::uint64_t index, byte_view field) {
      byte_view same;
      test::require(
          index > 100 || (record.get(index, same) && same.data == field.data && same.size == field.size),
          "get() finds the quoted field that for_each() shows");
      test::require(field.data >= last &&
                        field.data + field.size <= record.whole().text.data + record.whole().text.size,
                    "quoted fields are parts of the line, in order");
      last = field.data + field.size;
      ++count;
    });
    byte_view none;
    test::require(!record.get(count, none), "there are no quoted fields behind the last");
  });
  return 0;
}
