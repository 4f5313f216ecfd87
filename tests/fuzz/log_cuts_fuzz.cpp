// Fuzzes logs that are cut into chunks: at whichever byte, the views are those of the whole log.
#include "apps/tasks/weblog/log_format.hpp"
#include "apps/tasks/weblog/page_views.hpp"
#include "core/error.hpp"
#include "core/record/lines.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
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

template <class Task>
void try_cuts(const Task& task, byte_view log) {
  views whole;
  count(task, log, 0, log.size, whole);
  for (std::uint64_t cut = 1; cut < log.size; ++cut) {
    const std::uint64_t start = lines().first_start(log, cut, log.size);
    views parts;
    count(task, log, 0, start, parts);
    count(task, log, start, log.size, parts);
    test::require(parts == whole, "a cut changes nothing");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 400) return 0;  // the work is its square
  const test::exact_copy copy(data, size);
  try_cuts(apps::visit_count{}, copy.view());
  try {
    if (const auto format = apps::recognised_log_format(copy.view()))
      try_cuts(apps::request_count_of<apps::log_format>{.parse = *format}, copy.view());
  } catch (const usage_error&) {
  }
  return 0;
}
