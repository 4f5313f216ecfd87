// Parses the command line of a task's program and does a run, a map or a merge.
#include "apps/cli/task_program.hpp"

#include "apps/cli/command_line.hpp"
#include "apps/cli/run_command.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>
#include <sys/prctl.h>

#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

namespace {

// The object is static, because signal handlers use it until the process ends.
run_control control_of_program;

}  // namespace

int run_task_program(const app& task, int argc, const char* const* argv) noexcept {
  return run_guarded(control_of_program, [&] {
    // A program that was started by its descriptor (fexecve) would be named after the descriptor's number.
    ::prctl(PR_SET_NAME, std::string(task.name).c_str());
    run_arguments options;
    options.command = typed(argc, argv, task.name);
    CLI::App root;
    set_up_root(root);
    root.name(std::string(task.name));
    root.description(std::string(task.summary));
    root.require_subcommand(0);
    const std::string_view stage = argc > 1 ? argv[1] : "";
    const bool in_parts = stage == "map" || stage == "merge";
    if (stage == "map") {
      add_map_options(root, options, task.input_option);
    } else if (stage == "merge") {
      add_merge_options(root, options);
    } else {
      add_run_options(root, options, task.input_option);
      root.footer("In parts, on several machines: " + std::string(task.name) + " map --help, " +
                  std::string(task.name) + " merge --help");
    }
    // task_of_program refuses --deterministic, and says what to do instead.
    if (CLI::Option* const same_bits = root.get_option_no_throw("--deterministic")) same_bits->group("");
    refuse_flag_values(root);
    std::vector<const char*> arguments(argv, argv + argc);
    if (in_parts) arguments.erase(arguments.begin() + 1);
    arguments.push_back(nullptr);
    return parse_and_do(root, {}, argc - (in_parts ? 1 : 0), arguments.data(), [&] {
      run_command(task, options, control_of_program);
      return static_cast<int>(exit_status::ok);
    });
  });
}

std::string_view program_name(int argc, const char* const* argv) noexcept {
  const std::string_view path = argc > 0 ? argv[0] : "task";
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace duomap::apps
