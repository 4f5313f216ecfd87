// Fuzzes logs in two chunks: wherever the log is cut, the views are those of the whole log, or both are
// refused.
#include "apps/tasks/weblog/log_format.hpp"
#include "apps/tasks/weblog/log_recognition.hpp"
#include "apps/tasks/weblog/pageviewcount.hpp"
#include "core/error.hpp"
#include "core/record/lines.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace {

using namespace duomap;

using views = std::map<std::string, std::uint64_t>;

template <class Task>
void count(const Task& task, byte_view log, std::uint64_t from, std::uint64_t to, views& into) {
  const auto emit = [&](byte_view key, std::uint64_t value) {
    into[std::string(key.text())] += value;
  };
  lines().for_each_record({log.data + from, to - from, from, 0},
                          [&](const line& record) { task.map(record, emit); });
}

/// The views of a log in two parts, cut at `start`; nothing if the log is refused.
template <class Task>
std::optional<views> views_of(const Task& task, byte_view log, std::uint64_t start) {
  views found;
  try {
    count(task, log, 0, start, found);
    count(task, log, start, log.size, found);
  } catch (const input_error&) {
    return std::nullopt;
  }
  return found;
}

template <class Task>
void try_cuts(const Task& task, byte_view log) {
  const std::optional<views> whole = views_of(task, log, log.size);
  for (std::uint64_t cut = 1; cut < log.size; ++cut) {
    const std::uint64_t start = lines().first_start(log, cut, log.size);
    test::require(views_of(task, log, start) == whole, "a cut changes nothing");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 400) return 0;  // the time grows with the square of the size
  const test::exact_copy copy(data, size);
  try_cuts(apps::visit_count{}, copy.view());
  try {
    if (const auto format = apps::recognise_log(copy.view()).format)
      try_cuts(apps::request_count_of<apps::log_format>{.parse = *format}, copy.view());
  } catch (const usage_error&) {
  }
  return 0;
}
