// Opens the targets of an application, runs it, and writes its summary.
#include "apps/cli/run_command.hpp"

#include "apps/cli/aligned_rows.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/old_names.hpp"
#include "apps/cli/progress.hpp"
#include "apps/cli/ticker.hpp"
#include "apps/report/html_report.hpp"
#include "apps/report/memory.hpp"
#include "apps/report/quantity.hpp"
#include "apps/report/summary.hpp"
#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/output/result_file.hpp"
#include "cpu/cores.hpp"
#include "duomap.hpp"
#include "scheduler/report/trace.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace duomap::apps {

namespace {

// Whether people read the rows: the user named no format, and a terminal shows them.
bool shows_rows(const run_arguments& options) {
  return options.may_align && options.output == "-" && options.stage != run_stage::map &&
         !options.keep_partial && is_terminal(STDOUT_FILENO);
}

// Keeps the rows in memory until the widths of all columns are known.
class row_aligner {
 public:
  [[nodiscard]] byte_sink& sink() { return sink_; }
  [[nodiscard]] std::string text() {
    sink_.flush();
    std::string rows(sink_.bytes_written(), '\0');
    std::uint64_t have = 0;
    while (have < rows.size()) {
      const ssize_t count =
          ::pread(memory_.get(), rows.data() + have, rows.size() - have, static_cast<off_t>(have));
      if (count <= 0) throw output_error("cannot read the rows back that are to be aligned");
      have += static_cast<std::uint64_t>(count);
    }
    return aligned_rows(rows);
  }

 private:
  file_descriptor memory_{::memfd_create("rows", MFD_CLOEXEC)};
  byte_sink sink_{memory_.get(), "the memory of rows"};
};

// Runs the application and completes its result file.
run_report produce(const app& application, run_arguments options, run_control& control, result_file& result,
                   run_summary& summary) {
  std::optional<row_aligner> aligner;
  if (shows_rows(options)) {
    options.format = table_format::terminal;
    // Aligns only results that --top limits to a few rows.
    if (options.top.value_or(most_aligned_rows + 1) <= most_aligned_rows) aligner.emplace();
  }
  run_context context{options, control, aligner ? aligner->sink() : result.sink()};
  try {
    run_report report = application.run(context);
    if (aligner) result.sink().write(byte_view(aligner->text()));
    stop_if_cancelled(&control);
    result.commit();
    summary.figures = std::move(context.figures);
    summary.explanation = std::move(context.explanation);
    return report;
  } catch (const interrupted&) {
    const std::uint64_t bytes = result.sink().bytes_written();
    if (result.atomic() || bytes == 0) {
      throw;
    }
    throw error(exit_status::interrupted, "interrupted after " + std::to_string(bytes) +
                                              " bytes of the result were in " + result.sink().name() +
                                              "; it is incomplete");
  }
}

// Adds a note if the user asked for more threads than there are cores. duomap uses one thread for each core.
void note_cut_threads(const run_arguments& options, run_report& report) {
  if (!options.threads) return;
  const unsigned cores = cpu::usable_cores().cores;
  if (*options.threads > cores)
    report.notes.push_back("--threads " + std::to_string(*options.threads) + " is cut to " +
                           count_text(cores, "core") + ": this process may use no more");
}

// Starts the devices that the user asks for while the input is opened.
class demanded_devices {
 public:
  demanded_devices(device_choice choice, std::span<const int> gpus) {
    if (choice != device_choice::gpu && choice != device_choice::cpu_gpu) return;
    for (const device_provider* const one : registered_kinds::providers()) {
      if (one->is_built()) static_cast<void>(one->start_in_background(gpus, 1));
    }
  }
  demanded_devices(const demanded_devices&) = delete;
  demanded_devices& operator=(const demanded_devices&) = delete;
  ~demanded_devices() {
    for (const device_provider* const one : registered_kinds::providers()) one->leave_background();
  }
};

}  // namespace

void run_command(const app& application, const run_arguments& options, run_control& control) {
  const auto start = std::chrono::steady_clock::now();
  const demanded_devices starting(options.device, options.gpus);
  result_file result(options.output, &control);
  std::optional<result_file> summary_target;
  if (options.summary) {
    summary_target.emplace(*options.summary);
  }

  std::optional<result_file> trace_target;
  if (options.trace) {
    trace_target.emplace(*options.trace);
  }
  std::optional<result_file> report_target;
  if (options.report) {
    report_target.emplace(*options.report);
    if (report_target->sink().name() == "standard output") {
      throw usage_error("--report needs the name of a file; standard output is for the result");
    }
  }

  memory_watch memory;
  run_summary summary;
  if (options.indices) summary.unit = input_unit::indices;
  summary.stores_partial = options.stage == run_stage::map || options.keep_partial;
  progress shown(control, progress_style_for(options.quiet, options.json_summary), summary.unit);
  result.sink().before_first_write([&](byte_view first) {
    shown.finish();
    if (report_target) summary.preview = preview_of(first.text());
  });

  {
    constexpr std::chrono::milliseconds period{100};
    const ticker ticks(period, [&shown, &memory] {
      memory.sample();
      shown.draw();
    });
    summary.report = produce(application, options, control, result, summary);
    note_cut_threads(options, summary.report);
    for (const std::string& note : notes_on_old_names()) add_note(summary.report.notes, note);
  }
  shown.finish();

  summary.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  summary.memory = memory.peak();
  if (!options.quiet && !options.json_summary) {
    for (const std::string& line : summary_lines(summary)) {
      say(line);
    }
    if (options.explain) {
      for (const std::string& line : explained_lines(summary)) {
        say(line);
      }
    }
  }
  if (trace_target) {
    scheduler::write_trace(trace_target->sink(), summary.report.timeline);
    trace_target->commit();
  }
  if (report_target) {
    report_target->sink().write(byte_view(html_report(summary, options.command)));
    report_target->commit();
  }
  if (options.json_summary || summary_target) {
    const std::string json = summary_json(summary);
    if (options.json_summary) {
      byte_sink standard_error(STDERR_FILENO, "standard error");
      standard_error.write(std::string_view(json));
      standard_error.flush();
    }
    if (summary_target) {
      summary_target->sink().write(std::string_view(json));
      summary_target->commit();
    }
  }
}

}  // namespace duomap::apps
