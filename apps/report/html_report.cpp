// Fills the page of a report with the JSON of a run.
#include "apps/report/html_report.hpp"

#include "apps/report/build_text.hpp"
#include "apps/report/report_page.hpp"
#include "core/output/json_text.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/processor.hpp"
#include "scheduler/report/lanes.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace duomap::apps {

namespace {

using json = nlohmann::ordered_json;

// The number of parts in the charts of speed and share. A part is about five pixels wide.
constexpr std::size_t speed_parts = 160;

std::int64_t microseconds(double seconds) { return std::llround(seconds * 1e6); }

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

json machine_json() {
  return json::array({{"processor", cpu::processor_name()},
                      {"cores that this process may use", std::to_string(cpu::usable_cores().cores)},
                      {"vector path", std::string(cpu::name(cpu::active_vector_path()))},
                      {"kernel", kernel_text()},
                      {"build", build_text()}});
}

json step_account_json(const std::optional<step_account>& account) {
  if (!account) return nullptr;
  return {{"start_seconds", account->start}, {"pool_seconds", account->pool}, {"started", account->started}};
}

// A span is six numbers in a row: its kind, its begin, its duration, its busy time, its events and its units.
// Times are in microseconds; the begin counts from the begin of the span before.
json timeline_json(const run_report& report, std::size_t most_spans) {
  json kinds = json::array();
  std::map<std::string_view, std::size_t> numbers;
  json lanes = json::array();
  double end = 0;
  for (const scheduler::lane& one : scheduler::lanes_of(report.timeline, most_spans)) {
    json spans = json::array();
    std::int64_t before = 0;
    for (const scheduler::lane_span& span : one.spans) {
      const auto [number, is_new] = numbers.try_emplace(span.what, kinds.size());
      if (is_new) kinds.push_back(span.what);
      const std::int64_t begin = microseconds(span.begin);
      spans.insert(spans.end(), {number->second, begin - before, microseconds(span.end) - begin,
                                 microseconds(span.busy), span.events, span.units});
      before = begin;
      end = std::max(end, span.end);
    }
    lanes.push_back({{"name", one.name}, {"spans", std::move(spans)}});
  }
  return {{"seconds", end},
          {"events", report.timeline.size()},
          {"kinds", std::move(kinds)},
          {"lanes", std::move(lanes)}};
}

json speed_json(const run_report& report) {
  const scheduler::speed_over_time speed = scheduler::speed_of(report, speed_parts);
  json units = json::array();
  for (const std::vector<double>& executor : speed.units) {
    json whole = json::array();
    for (const double part : executor) whole.push_back(std::llround(part));
    units.push_back(std::move(whole));
  }
  return {{"part_seconds", speed.part_seconds}, {"units", std::move(units)}};
}

}  // namespace

std::string new_nonce() {
  std::random_device random;
  std::string text;
  for (int i = 0; i < 4; ++i) {
    std::array<char, 16> part{};
    std::snprintf(part.data(), part.size(), "%08x", random());
    text += part.data();
  }
  return text;
}

std::string json_for_script(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char byte : json) {
    switch (byte) {
      case '<':
        text += "\\u003c";
        break;
      case '>':
        text += "\\u003e";
        break;
      case '&':
        text += "\\u0026";
        break;
      default:
        text += byte;
    }
  }
  return text;
}

std::string preview_of(std::string_view first) {
  constexpr int most_rows = 10;
  constexpr std::size_t most_bytes = 160;
  std::string rows;
  for (int i = 0; i < most_rows && !first.empty(); ++i) {
    const std::size_t size = std::min(first.find('\n'), first.size());
    std::size_t kept = std::min(size, most_bytes);
    // The cut must not be within a character of UTF-8.
    while (kept < size && kept > 0 && (static_cast<unsigned char>(first[kept]) & 0xc0) == 0x80) --kept;
    rows += first.substr(0, kept);
    rows += kept < size ? " ...\n" : "\n";
    first.remove_prefix(std::min(size + 1, first.size()));
  }
  return is_utf8(rows) && rows.find('\0') == std::string::npos ? rows : "";
}

std::string report_json(const run_summary& summary, const std::string& command, std::size_t most_spans) {
  const json all = {{"summary", json::parse(summary_json(summary))},
                    {"lines", summary_lines(summary)},
                    {"explained", explained_lines(summary)},
                    {"preview", summary.preview},
                    {"has_account", summary.report.account.has_value()},
                    {"step_account", step_account_json(summary.explanation.account)},
                    {"command", command},
                    {"indices", summary.unit == input_unit::indices},
                    {"date", now_text()},
                    {"machine", machine_json()},
                    {"timeline", timeline_json(summary.report, most_spans)},
                    {"speed", speed_json(summary.report)}};
  constexpr int one_line = -1;
  // Names of files and devices need not be UTF-8, so invalid bytes are replaced.
  return all.dump(one_line, ' ', false, json::error_handler_t::replace);
}

std::string html_report(const run_summary& summary, const std::string& command) {
  const std::string nonce = new_nonce();
  const std::string data = json_for_script(report_json(summary, command));
  std::string page;
  std::string_view rest = report_page;
  while (true) {
    const std::size_t place = rest.find("{{");
    page += rest.substr(0, place);
    if (place == std::string_view::npos) return page;
    const std::size_t end = rest.find("}}", place);
    const std::string_view name = rest.substr(place + 2, end - place - 2);
    page += name == "nonce" ? std::string_view(nonce) : std::string_view(data);
    rest.remove_prefix(end + 2);
  }
}

}  // namespace duomap::apps
