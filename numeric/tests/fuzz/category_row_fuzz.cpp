// Fuzzes rows of categories: counting a chunk gives the same as counting its lines one by one, and reads
// nothing outside.
#include "numeric/naivebayes/category_counts.hpp"
#include "numeric/naivebayes/map_chunk.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  if (size < 4) return 0;
  const std::uint32_t columns = 1 + data[0] % 6;
  std::vector<column_role> roles(columns);
  for (std::uint32_t i = 0; i < columns; ++i)
    roles[i] = (data[1] >> i & 1) != 0 ? column_role::attribute : column_role::left_out;
  const std::uint32_t label = data[2] % columns;
  roles[label] = column_role::label;
  const char delimiter = ",\t; "[data[3] % 4];
  category_list known;
  known.add(label, "a");
  known.add((label + 1) % columns, "b");
  const category_counts task{
      {{roles.data(), roles.size()}, label, delimiter, (data[3] & 4) != 0, (data[3] & 8) != 0}, known.view()};

  // Maps each line alone, from memory that ends with the line, and then all lines as a padded chunk.
  std::map<std::string, std::uint64_t> by_line;
  std::map<std::string, std::uint64_t> by_chunk;
  auto emit_line = [&](byte_view key, std::uint64_t rows) {
    by_line[std::string(key.text())] += rows;
  };
  auto emit_chunk = [&](byte_view key, std::uint64_t rows) {
    by_chunk[std::string(key.text())] += rows;
  };
  std::string text(reinterpret_cast<const char*>(data + 4), size - 4);
  lines{}.for_each_record({text.data(), text.size(), 0, 0}, [&](const line& one) {
    const test::exact_copy copy(reinterpret_cast<const std::uint8_t*>(one.text.data), one.text.size);
    task.map({copy.view(), one.offset, one.source}, emit_line);
  });
  const std::uint64_t bytes = text.size();
  text.append(read_padding, ',');
  task.map_chunk({text.data(), bytes, 0, 0}, emit_chunk);
  test::require(by_line == by_chunk, "a chunk is its lines");
  for (const auto& [key, rows] : by_chunk) static_cast<void>(category_counts::meaning_of(key, known));
  return 0;
}
