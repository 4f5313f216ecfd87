#include "apps/weblog/malformed.hpp"

#include "apps/cli/quantity.hpp"
#include "apps/cli/talk.hpp"
#include "core/error.hpp"
#include "core/job_options.hpp"
#include "cpu/cpu_backend.hpp"
#include "scheduler/run.hpp"

#include <memory>
#include <string_view>

namespace duomap::apps {
namespace {

result_for<first_malformed_lines> find_first(const input& logs, parallel& pool) {
  const first_malformed_lines task;
  const std::vector<std::shared_ptr<backend<first_malformed_lines>>> backends{
      std::make_shared<cpu::cpu_backend<first_malformed_lines>>(task, pool)};
  run_report report;
  return scheduler::run(task, logs, backends, pool, nullptr, report);
}

}  // namespace

std::string malformed_text(std::uint64_t count, const input& logs, parallel& pool) {
  std::string text = count_text(count, "line") + (count == 1 ? " is" : " are") +
                     " in neither the common nor the combined log format";
  try {
    const char* before = ": ";
    find_first(logs, pool).for_each([&](std::uint64_t, const malformed_line& one) {
      const std::string_view begin(one.text, one.text_bytes);
      text += before + logs[one.source].name() + ", byte " + count_text(one.offset) + ": '" +
              printable(begin) + (one.text_bytes == malformed_line::shown_bytes ? "...'" : "'");
      before = "; ";
    });
    if (count > first_malformed_lines{}.k) text += "; and so on";
  } catch (const usage_error&) {
    text += "; where cannot be said of what can be read only once";
  }
  return text;
}

}  // namespace duomap::apps
