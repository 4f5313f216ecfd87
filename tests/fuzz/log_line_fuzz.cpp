// Fuzzes the parser of log lines: it reads nothing outside the line, and the parts of an entry lie in the
// line, in order.
#include "apps/tasks/weblog/log_line.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  const test::exact_copy copy(data, size);
  const byte_view line = copy.view();
  apps::log_entry entry;
  const apps::log_line_kind kind = apps::parse_log_line(line, entry);
  test::require((kind == apps::log_line_kind::blank) == (size == 0 || (size == 1 && data[0] == '\r')),
                "only an empty line is blank");
  if (kind != apps::log_line_kind::entry) return 0;

  test::require(entry.client.form != apps::client_form::none && !entry.client.text.empty() &&
                    find_byte(entry.client.text, ' ') == entry.client.text.size,
                "a client is a word");
  test::require(entry.status <= 999, "a status has three digits");
  test::require(entry.method.empty() == entry.url.empty(), "a method has a URL");
  const char* last = line.begin();
  for (const byte_view part : {entry.client.text, entry.time}) {
    test::require(test::is_inside(part, line) && part.begin() >= last, "parts stand in the line in order");
    last = part.end();
  }
  if (!entry.url.empty()) {
    for (const byte_view part : {entry.method, entry.url, entry.protocol}) {
      test::require(test::is_inside(part, line) && part.begin() >= last, "parts stand in the line in order");
      last = part.end();
    }
    test::require(entry.url[0] != ' ', "a URL does not begin with a space");
  }
  if (!entry.agent.empty()) {
    for (const byte_view part : {entry.referer, entry.agent}) {
      test::require(test::is_inside(part, line) && part.begin() >= last, "parts stand in the line in order");
      last = part.end();
    }
  }
  return 0;
}
