// Writes events as JSON in the Trace Event Format.
#include "scheduler/report/trace.hpp"

#include "core/output/json_text.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace duomap::scheduler {
namespace {

void write(byte_sink& sink, std::string_view text) { sink.write({text.data(), text.size()}); }

void write_string(byte_sink& sink, std::string_view text) {
  // The text is checked, because names of devices come from the driver. A name that is not UTF-8 would make
  // the file unreadable.
  const byte_view bytes(text.data(), text.size());
  write_json_string(sink, is_utf8(bytes) ? bytes : byte_view("?", 1));
}

// Writes a time in microseconds, with the precision of a nanosecond.
std::string microseconds(double seconds) {
  std::array<char, 40> text;
  std::snprintf(text.data(), text.size(), "%.3f", seconds * 1e6);
  return text.data();
}

}  // namespace

void write_trace(byte_sink& sink, std::span<const timeline_event> events) {
  std::map<std::string_view, std::size_t> lanes;
  write(sink, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
  bool first = true;
  const auto begin_event = [&] {
    write(sink, first ? "\n" : ",\n");
    first = false;
  };
  for (const timeline_event& event : events) {
    const auto [lane, is_new] = lanes.try_emplace(event.lane, lanes.size());
    const std::string thread = "\"pid\":1,\"tid\":" + std::to_string(lane->second);
    if (is_new) {
      begin_event();
      write(sink, "{\"ph\":\"M\"," + thread + ",\"name\":\"thread_name\",\"args\":{\"name\":");
      write_string(sink, event.lane);
      write(sink, "}}");
    }
    begin_event();
    write(sink, "{\"ph\":\"X\"," + thread + ",\"name\":");
    write_string(sink, event.what);
    write(sink,
          ",\"ts\":" + microseconds(event.begin) + ",\"dur\":" + microseconds(event.end - event.begin) + "}");
  }
  write(sink, "\n]}\n");
}

}  // namespace duomap::scheduler
