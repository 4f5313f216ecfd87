// Fuzzes the parsers of log lines, with all formats, prefixes and descriptions: nothing is read outside the
// line, the parts of an entry lie in the line unless they were decoded, and its page has no control
// characters.
#include "apps/tasks/weblog/log_format.hpp"
#include "apps/tasks/weblog/log_recognition.hpp"
#include "apps/tasks/weblog/normal_form.hpp"
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
  const bool decoded = format.kind == apps::log_format::form::json || format.prefixes.any();
  for (const byte_view part :
       {entry.client.text, entry.method, entry.url, entry.protocol, entry.referer, entry.agent})
    test::require(decoded || part.empty() || test::is_inside(part, line), "parts stand in the line");
  std::string memory(3 * line.size + 64, '\0');
  apps::key_writer page(memory.data(), memory.size());
  apps::write_page(entry.url, entry.escaped, page);
  test::require(page.fits(), "a page has room");
  for (const char c : page.written().text())
    test::require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F, "a page has no control characters");
  // With less memory, the page does not fit or is the same.
  const std::string whole(page.written().text());
  apps::key_writer less(memory.data(), line.size / 2);
  apps::write_page(entry.url, entry.escaped, less);
  test::require(!less.fits() || less.written().text() == whole, "a page that fits is whole");
  apps::key_writer client(memory.data(), memory.size());
  if (format.has_client()) apps::write_client(entry.client, client);
  test::require(client.fits() && (!format.has_client() ||
                                  apps::client_in(client.written()).form != apps::client_form::none),
                "a client's form is a client");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace duomap;
  const test::exact_copy copy(data, size);
  const byte_view text = copy.view();
  for (const char* const name : {"vhost_combined", "lighttpd", "alb", "json"})
    parse(*apps::log_format_called(name), text);
  const std::uint64_t end = find_byte(text, '\n');
  try {
    for (const std::int32_t which : {0, 1, -2}) {
      const apps::log_recognition found = apps::recognise_log(text, {}, {which});
      for (std::uint64_t at = 0; found.format && at < text.size;) {
        const std::uint64_t next = find_byte(text, '\n', at);
        parse(*found.format, text.sub(at, next - at));
        at = next + 1;
      }
    }
    const auto described = apps::log_format_called(std::string(text.sub(0, end).text()));
    if (described && end < text.size) parse(*described, text.sub(end + 1, text.size - end - 1));
  } catch (const usage_error&) {
  } catch (const input_error&) {
    // A second line "#Fields:" may name other fields, which is an input_error.
  }
  return 0;
}
