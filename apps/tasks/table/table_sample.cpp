// Takes the first lines of a table.
#include "apps/tasks/table/table_sample.hpp"

#include "core/text/find_byte.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::apps {

table_sample sample_of(byte_view beginning, bool whole) {
  constexpr std::size_t most_lines = 20'001;  // a header and 20,000 rows
  table_sample sample;
  std::uint64_t at = 0;
  while (at < beginning.size && sample.lines.size() < most_lines) {
    const std::uint64_t end = find_byte(beginning, '\n', at);
    const bool may_be_cut = end == beginning.size && !whole;
    if (may_be_cut && !sample.lines.empty()) break;
    byte_view line = beginning.sub(at, end - at);
    if (line.size > 0 && line[line.size - 1] == '\r') --line.size;
    if (line.size > 0) sample.lines.push_back(line);
    sample.cut = may_be_cut;
    at = end + 1;
  }
  sample.whole = whole && at >= beginning.size;
  return sample;
}

}  // namespace duomap::apps
