// Fuzzes the parsers of log lines in formats other than Apache's, and descriptions of formats: nothing is
// read outside the line, and what an entry consists of stands in it.
#include "apps/tasks/weblog/log_format.hpp"
#include "core/error.hpp"
#include "core/text/find_byte.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace {

void parse(const duomap::apps::log_format& format, duomap::byte_view line) {
  using namespace duomap;
  apps::log_entry entry;
  if (format(line, entry) != apps::log_line_kind::entry) return;
  test::require(entry.status <= 999, "a status has three digits");
  for (const byte_view part :
       {entry.client, entry.method, entry.url, entry.protocol, entry.referer, entry.agent})
    test::require(part.empty() || test::is_inside(part, line), "parts stand in the line");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  const test::exact_copy copy(data, size);
  const byte_view text = copy.view();
  for (const char* const name : {"vhost_combined", "alb", "json"})
    parse(*apps::log_format_called(name), text);
  const std::uint64_t end = find_byte(text, '\n');
  try {
    if (const auto found = apps::recognised_log_format(text)) parse(*found, text);
    const auto described = apps::log_format_called(std::string(text.sub(0, end).text()));
    if (described && end < text.size) parse(*described, text.sub(end + 1, text.size - end - 1));
  } catch (const usage_error&) {
  } catch (const input_error&) {
    // A second line #Fields: names other fields.
  }
  return 0;
}
