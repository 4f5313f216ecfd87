// Guards main(), parses a command line, and prints answers.
#include "apps/cli/command_line.hpp"

#include "apps/cli/enough_stack.hpp"
#include "apps/cli/failure.hpp"
#include "apps/cli/hidden_command.hpp"
#include "apps/cli/usage_problem.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "core/version.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

namespace duomap::apps {

namespace {

// Opens /dev/null for each standard descriptor that is closed. Otherwise the next file would get the
// descriptor's number and the messages meant for the terminal. /dev/null is opened in the wrong direction, so
// that using the descriptor still fails.
void hold_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      const int mode = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
      [[maybe_unused]] const int lowest_free = ::open("/dev/null", mode);
    }
  }
}

}  // namespace

int run_guarded(run_control& control, const action& work, end_action at_end) noexcept {
  install_terminate_handler();
  try {
    hold_standard_descriptors();
    install_signal_handlers(control, at_end);
    return on_enough_stack(work);
  } catch (...) {
    return report_failure();
  }
}

void set_up_root(CLI::App& root) {
  root.description("duomap runs one MapReduce task on all CPU cores and GPUs of this machine.");
  root.name("duomap");
  root.require_subcommand(1);
  root.get_formatter()->label("SUBCOMMAND", "COMMAND");
  root.set_help_flag("-h,--help", "print this help");
  root.set_version_flag("--version", "duomap " + std::string(version), "print the version");
}

int parse_and_do(CLI::App& root, applications known, int argc, const char* const* argv,
                 const action& chosen) {
  if (const auto answer = hidden_command(root, known, argc, argv)) {
    print(*answer);
    return static_cast<int>(exit_status::ok);
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(root.help());
    return static_cast<int>(exit_status::ok);
  } catch (const CLI::CallForVersion& answer) {
    print(std::string(answer.what()) + "\n");
    return static_cast<int>(exit_status::ok);
  } catch (const CLI::ParseError& problem) {
    throw usage_problem(problem, root);
  }
  return chosen();
}

void refuse_flag_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    option->disable_flag_override();  // --quiet=maybe is an error
  }
}

void print(std::string_view text) {
  result_file output("-");
  output.sink().write(text);
  output.commit();
}

std::string typed(int argc, const char* const* argv, std::string_view program) {
  std::string text(program);
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool plain =
        !word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=,:+@%") ==
            std::string_view::npos;
    text += ' ';
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace duomap::apps
