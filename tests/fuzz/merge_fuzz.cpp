// Fuzzes stored partials from map to rows: an application maps, the partial is changed together with its
// checksums, and the application merges and prints it. The output is rows, or an input_error that names the
// partial. If a merge stores a partial, merging that partial prints the same rows.
#include "apps/cli/task_main.hpp"
#include "apps/commands/registry.hpp"
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/mapped_file.hpp"
#include "core/output/byte_sink.hpp"
#include "tests/fuzz/fuzz_check.hpp"
#include "tests/fuzz/merge_tasks.hpp"
#include "tests/support/partial_change.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using namespace duomap;
using namespace duomap::apps;

/// A file in memory that has a path.
class memory_file {
 public:
  memory_file() : file_(::memfd_create("partial", MFD_CLOEXEC)) {
    test::require(static_cast<bool>(file_), "there is a memory file");
  }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

  void clear() {
    test::require(::ftruncate(file_.get(), 0) == 0 && ::lseek(file_.get(), 0, SEEK_SET) == 0, "it is cut");
  }
  /// The bytes that `use` writes to a sink.
  template <class Use>
  [[nodiscard]] std::string written(const Use& use) {
    clear();
    byte_sink sink(file_.get(), "memory");
    use(sink);
    sink.flush();
    return bytes();
  }
  /// Overwrites the file, so that its pages are reused.
  void write(std::string_view bytes) {
    test::require(
        ::pwrite(file_.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()) &&
            ::ftruncate(file_.get(), static_cast<off_t>(bytes.size())) == 0,
        "it is written");
  }

 private:
  [[nodiscard]] std::string bytes() const {
    std::string all(static_cast<std::size_t>(::lseek(file_.get(), 0, SEEK_CUR)), '\0');
    test::require(::pread(file_.get(), all.data(), all.size(), 0) == static_cast<ssize_t>(all.size()),
                  "it is read");
    return all;
  }

  file_descriptor file_;
};

/// A task, or an application with its options.
struct job {
  const char* name;
  run_report (*run)(run_context& context);
  const app* application = nullptr;  // its options are set before each run
  std::vector<std::string> arguments = {};
  bool deterministic = false;
  bool in_order = false;  // the rows have only one order
  bool ranks_all = true;  // any two values can be ordered; not true of NaN

  std::vector<std::string> stored = {};  // the stored partials of both parts
  std::vector<test::taken_apart> parts = {};
};

template <class Task>
job job_of(const char* name, bool in_order = false) {
  return {name, task_of_program<Task>::run, nullptr, {}, false, in_order};
}

std::vector<job> all_jobs() {
  const auto of = [](const app& one) {
    return job{one.name.data(), one.run, &one};
  };
  std::vector<job> jobs(5, of(aggregate_app));
  jobs[0] = of(wordcount_app);
  jobs[1] = of(stringmatch_app);
  jobs[1].arguments = {"--pattern", "ab", "--pattern", "b c"};
  jobs[1].in_order = true;
  jobs[2].arguments = {"--values", "int32"};
  jobs[3].arguments = jobs[4].arguments = {"--values", "float32"};
  jobs[4].deterministic = true;
  jobs.push_back(job_of<test::longest_lines>("longest_lines"));
  jobs.push_back(job_of<test::notes_of_lines>("notes_of_lines", true));
  jobs.push_back(job_of<test::best_lines>("best_lines", true));
  jobs.back().ranks_all = false;
  jobs.push_back(job_of<test::first_lines>("first_lines"));
  jobs.push_back(job_of<test::first_sizes>("first_sizes"));
  jobs.push_back(job_of<test::texts_of_heads>("texts_of_heads", true));
  jobs.push_back(job_of<deterministic<test::line_sums>>("line_sums"));
  jobs.push_back(job_of<test::long_lines>("long_lines"));
  jobs.push_back(job_of<test::lines_by_place>("lines_by_place"));
  jobs.push_back({"line_extremes", test::run_line_extremes});
  return jobs;
}

void set_options(const job& of) {
  // An application stores its options itself, and two jobs may belong to one application.
  static const job* last = nullptr;
  if (of.application == nullptr || of.application->add_options == nullptr || last == &of) return;
  last = &of;
  CLI::App command;
  of.application->add_options(command);
  command.parse(std::vector<std::string>(of.arguments.rbegin(), of.arguments.rend()));
}

void run(const job& what, const run_arguments& options, byte_sink& to) {
  set_options(what);
  run_control control;
  run_context context{options, control, to};
  what.run(context);
}

run_arguments options_of(const job& of) {
  run_arguments options;
  options.device = device_choice::cpu;
  options.threads = 1;
  options.quiet = true;
  options.profile = "off";
  options.deterministic = of.deterministic;
  // The parts are texts, which the sums of pairs would refuse.
  options.no_decompress = of.application == &aggregate_app;
  return options;
}

/// Maps two parts, a mapped file and a stream. Then the sources are destroyed, because a merge must not read
/// them.
void map_parts(job& of, memory_file& to) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("duomap-fuzz-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string text = "ab c\nb c ab\n\na longer line than sixteen bytes\n";
  std::ofstream(folder / "a") << text << std::string(map_threshold, '-') << "\nthe end";
  std::ofstream(folder / "b") << text << "ab ab of the second source\n";
  for (std::uint64_t part = 1; part <= 2; ++part) {
    run_arguments options = options_of(of);
    options.stage = run_stage::map;
    options.slice = {part, 2};
    for (const char* name : {"a", "b"}) options.paths.push_back((folder / name).string());
    of.stored.push_back(to.written([&](byte_sink& sink) { run(of, options, sink); }));
    of.parts.emplace_back(of.stored.back());
  }
  std::filesystem::remove_all(folder);
}

struct state {
  memory_file first, second, kept, rows;
  const std::string* written = nullptr;  // the partial in the second file
  file_descriptor nowhere = file_descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  byte_sink shown = byte_sink(nowhere.get(), "nowhere");  // made once, because its buffer is large
  std::vector<job> jobs = all_jobs();

  state() {
    for (job& one : jobs) map_parts(one, kept);
  }
};

/// The text or the partial that a merge writes.
std::string merged(const job& of, const run_arguments& options, memory_file& to) {
  return to.written([&](byte_sink& sink) { run(of, options, sink); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static state with;
  if (size < 2 + test::partial_change::size) return 0;
  const job& of = with.jobs[data[0] % with.jobs.size()];
  const std::uint8_t mode = data[1];
  test::taken_apart part = of.parts[mode % 2];
  std::size_t changed = 0;
  for (std::size_t at = 2; at + test::partial_change::size <= size; at += test::partial_change::size)
    changed = test::partial_change(data + at).apply(part);
  with.first.write(part.put_together());
  const std::string* const other = &of.stored[1 - mode % 2];
  if (std::exchange(with.written, other) != other) with.second.write(*other);

  run_arguments options = options_of(of);
  options.stage = run_stage::merge;
  options.paths = {with.first.path(), with.second.path()};
  // In most cases merges only the changed partition, which is faster.
  if (mode / 2 % 8 != 0 && changed < part.partitions.size())
    options.partitions = {changed + 1, part.partitions.size()};
  if (!of.in_order) options.order = mode / 16 % 2 == 0 ? row_order::key : row_order::value;
  if (mode / 32 % 2 == 0) options.format = table_format::jsonl;
  try {
    run(of, options, with.shown);
    with.shown.flush();
    if (mode / 64 != 0 || !of.ranks_all) return 0;
    options.partitions = std::nullopt;
    const std::string whole = merged(of, options, with.rows);
    options.keep_partial = true;
    const std::string stored = merged(of, options, with.kept);
    with.first.write(stored);
    options.keep_partial = false;
    options.paths = {with.first.path()};
    test::require(merged(of, options, with.rows) == whole, "what a merge stores is merged as it was");
  } catch (const input_error& e) {
    with.shown.flush();
    const std::string_view said = e.what();
    test::require(said.find("/proc/self/fd/") != said.npos || said.find("partials") != said.npos,
                  "an error names the partial");
  }
  return 0;
}
