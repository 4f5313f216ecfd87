// Checks a user's header, has it compiled, and replaces this process by its program.
#include "apps/commands/own_task/become_task.hpp"

#include "apps/build_cache/build.hpp"
#include "apps/build_cache/build_cache.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/other_program.hpp"
#include "apps/commands/own_task/compile_task.hpp"
#include "apps/commands/own_task/file_text.hpp"
#include "apps/commands/own_task/task_of_header.hpp"
#include "apps/commands/own_task/toolkit.hpp"
#include "apps/report/quantity.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "gpu/device/driver_files.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace duomap::apps {

namespace {

// Refuses a file that is no header. A user may have forgotten the application and given only the input, and
// compiling an input file would give thousands of errors.
void require_header(const std::string& path, const std::string& content) {
  const std::string ending = std::filesystem::path(path).extension().string();
  constexpr std::array<std::string_view, 7> headers{".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".cuh"};
  if (std::ranges::find(headers, ending) != headers.end()) return;
  if (ending.empty() && content.find("#include") != std::string::npos) return;
  throw usage_error(
      quoted(path) +
      " is no header of C++ (.hpp): give the name of an application, which 'duomap list' shows, or "
      "the path of a header with a task of your own, and behind it the input");
}

}  // namespace

bool is_header(const std::string& word) {
  return !word.starts_with('-') && word.find_first_of("./") != std::string::npos;
}

void become_task(int argc, const char* const* argv, const run_control& control) {
  const std::string header = argv[2];
  const std::string content = file_text(header);
  require_header(header, content);
  const std::string name = task_of_header(header, content);
  const task_toolkit kit = find_toolkit();
  const std::vector<std::string> gpus = kit.nvcc.empty() ? std::vector<std::string>() : gpu::gpus_of_driver();
  bool quiet = false;
  for (int i = 3; i < argc; ++i) quiet = quiet || std::string_view(argv[i]) == "--quiet";
  build_recipe recipe = program_of(kit, header, content, name, gpus);
  recipe.starting = [&] {
    if (!quiet)
      say("compiling " + header + (gpus.empty() ? "" : " for the CPU and the GPUs here") +
          "; it runs as a program of your own, with all that you may do");
  };
  recipe.waiting = [&] {
    if (!quiet) say("waiting for another duomap, which compiles " + header);
  };
  const file_descriptor program = built(recipe, &control);
  std::vector<const char*> arguments{name.c_str()};
  if (std::string_view(argv[1]) != "run") arguments.push_back(argv[1]);
  arguments.insert(arguments.end(), argv + 3, argv + argc);
  arguments.push_back(nullptr);
  become_program(program, header, arguments.data());
}

std::string cache_report(bool clear) {
  const build_cache cache(usual_build_folder());
  const std::vector<cached_build> all = cache.entries();
  std::uint64_t bytes = 0;
  std::string rows;
  for (const cached_build& one : all) {
    bytes += one.bytes;
    rows += "  " + bytes_text(one.bytes) + ", used " + duration_text(std::max(one.unused_seconds, 0.0)) +
            " ago: " + (one.title.empty() ? "unfinished: " + one.name : printable(one.title)) + "\n";
  }
  const std::string head =
      printable(cache.path()) + ": " + count_text(all.size(), "compiled task") + ", " + bytes_text(bytes);
  if (!clear) return head + " of at most " + bytes_text(build_cache::most_bytes) + "\n" + rows;
  const std::uint64_t left = all.size() - std::min(all.size(), cache.clear());
  return head + ", removed" + (left == 0 ? "" : " but for " + std::to_string(left) + " in use") + "\n" + rows;
}

}  // namespace duomap::apps
