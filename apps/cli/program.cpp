#include "apps/cli/program.hpp"

#include "apps/bench/bench_command.hpp"
#include "apps/calibrate/calibrate.hpp"
#include "apps/cli/failure.hpp"
#include "apps/cli/run_command.hpp"
#include "apps/cli/run_options.hpp"
#include "apps/cli/signals.hpp"
#include "apps/cli/usage_problem.hpp"
#include "apps/doctor/doctor.hpp"
#include "apps/registry.hpp"
#include "core/error.hpp"
#include "core/output/result_file.hpp"
#include "core/run_control.hpp"
#include "core/version.hpp"

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {

namespace {

// Static, because signal handlers use it until the process has ended.
run_control control;

// A file opened by a process without standard descriptors would get number 1 or 2 and receive what is meant
// for them. What takes the place of a closed one is open the wrong way round, so that using it still fails.
void hold_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) < 0) {
      const int mode = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
      [[maybe_unused]] const int lowest_free = ::open("/dev/null", mode);
    }
  }
}

void print(std::string_view text) {
  result_file output("-");
  output.sink().write(text);
  output.commit();
}

// The examples below the help of `duomap run APP`.
std::string examples(const app& application) {
  const std::string name(application.name);
  const std::string run = "  duomap run " + name;
  const std::string lines = run + " novel.txt\n" + run + " --top 20 books/ more.txt.gz\n" +
                            "  some-command | duomap run " + name + " --sort key -\n" + run +
                            " --format csv --output result.csv books/";
  // An application whose input is no PATH has examples of its own only.
  return "Examples:" + (application.input_option.empty() ? "\n" + lines : " duomap describe " + name) +
         "\n\nExit status: 0 done, 1 failed, 2 wrong usage, 3 device not available,\n4 out of memory, 5 bad "
         "input, 130 interrupted.";
}

std::string list_text() {
  std::size_t width = 0;
  for (const app* application : all_apps()) {
    width = std::max(width, application->name.size());
  }
  std::string text;
  for (const app* application : all_apps()) {
    text += std::string(application->name) + std::string(width + 2 - application->name.size(), ' ') +
            std::string(application->summary) + "\n";
  }
  return text;
}

std::string describe_text(const app& application) {
  const std::string name(application.name);
  std::string text =
      name + ": " + std::string(application.summary) + "\n\n" + std::string(application.description);
  if (!text.ends_with('\n')) {
    text += '\n';
  }
  return text + "\nAll options: duomap " + (application.run ? "run " : "bench ") + name + " --help\n";
}

int print_doctor() {
  std::ostringstream text;
  const int status = doctor(text);
  print(text.str());
  return status;
}

using action = std::function<int()>;

/// What `duomap bench` was asked for.
struct bench_choice {
  std::vector<suite_measurement> measurements;
  bench_request request;
  std::string command;  ///< as it was typed
};

void refuse_flag_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    option->disable_flag_override();  // --quiet=maybe is a mistake
  }
}

// As a shell would take it.
std::string typed(int argc, const char* const* argv) {
  std::string text = "duomap";
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

// `duomap run` and its like: one subcommand for each application that has the function. `fill` adds its
// options and gives what naming it means, or nothing.
void add_applications(CLI::App& root, const std::string& name, const std::string& help,
                      const std::function<std::function<void()>(CLI::App&, const app&)>& fill) {
  CLI::App* const command = root.add_subcommand(name, help)->group("Commands");
  command->require_subcommand(1);
  command->formatter(std::make_shared<CLI::Formatter>());
  command->get_formatter()->label("SUBCOMMAND", "APP");
  command->footer("Its options: duomap " + name + " APP --help");
  for (const app* application : all_apps()) {
    CLI::App* const child =
        command->add_subcommand(std::string(application->name), std::string(application->summary));
    child->group("Applications");
    if (std::function<void()> named = fill(*child, *application)) {
      child->callback(std::move(named));
      refuse_flag_values(*child);
    } else {
      command->remove_subcommand(child);
    }
  }
}

void add_run(CLI::App& root, run_options& options, action& chosen) {
  add_applications(root, "run", "run an application",
                   [&options, &chosen](CLI::App& command, const app& application) -> std::function<void()> {
                     if (!application.run) {
                       return {};
                     }
                     add_run_options(command, options, application.input_option);
                     if (application.add_options) {
                       application.add_options(command);
                     }
                     command.footer(examples(application));
                     return [&options, &chosen, &application] {
                       chosen = [&options, &application] {
                         run_command(application, options, control);
                         return static_cast<int>(exit_status::ok);
                       };
                     };
                   });
}

// Any number of applications and suites; each application has its own options and those of all.
void add_bench(CLI::App& root, bench_choice& choice, action& chosen) {
  add_applications(root, "bench", "measure applications, or suites of measurements",
                   [&choice](CLI::App& command, const app& application) -> std::function<void()> {
                     if (!application.bench) {
                       return {};
                     }
                     if (application.add_bench_options) {
                       application.add_bench_options(command);
                     }
                     add_bench_request(command, choice.request);
                     command.footer("");
                     return [&choice, &application] {
                       choice.measurements.push_back({application.name, application.bench});
                     };
                   });
  CLI::App* const command = root.get_subcommand("bench");
  for (const suite* one : all_suites()) {
    CLI::App* const child = command->add_subcommand(std::string(one->name), std::string(one->summary));
    child->group("Suites");
    add_bench_request(*child, choice.request);
    child->footer("");
    refuse_flag_values(*child);
    child->callback([&choice, one] {
      choice.measurements.insert(choice.measurements.end(), one->measurements.begin(),
                                 one->measurements.end());
    });
  }
  add_bench_request(*command, choice.request);
  add_saved_run_options(*command, choice.request);
  refuse_flag_values(*command);
  command->require_subcommand(0, 0);  // any number
  command->get_formatter()->label("SUBCOMMAND", "NAME");
  command->footer(
      "Without a name: lists them. Options of one: duomap bench NAME --help. A file that is called like\n"
      "one of them: ./NAME");
  command->callback([&choice, &chosen] {
    chosen = [&choice] {
      if (choice.measurements.empty() && choice.request == bench_request{}) {
        print(bench_list_text());
      } else {
        bench_command(choice.measurements, choice.request, choice.command, control);
      }
      return static_cast<int>(exit_status::ok);
    };
  });
}

// Without an application it is about the machine.
void add_calibrate(CLI::App& root, run_options& options, action& chosen) {
  add_applications(root, "calibrate", "measure this machine, or an application on each device",
                   [&options, &chosen](CLI::App& command, const app& application) -> std::function<void()> {
                     if (!application.run) {
                       return {};
                     }
                     add_application_calibration_options(command, options, application.input_option);
                     if (application.add_options) {
                       application.add_options(command);
                     }
                     return [&options, &chosen, &application] {
                       chosen = [&options, &application] {
                         print(calibrate_application(application, options, control));
                         return static_cast<int>(exit_status::ok);
                       };
                     };
                   });
  CLI::App* const command = root.get_subcommand("calibrate");
  command->require_subcommand(0, 1);
  add_calibration_options(*command, options);
  command->callback([&options, &chosen, command] {
    if (!command->get_subcommands().empty()) {
      return;
    }
    chosen = [&options] {
      print(calibrate_machine(options, control));
      return static_cast<int>(exit_status::ok);
    };
  });
}

void add_describe(CLI::App& root, std::string& name, action& chosen) {
  CLI::App* const command =
      root.add_subcommand("describe", "what an application computes, exactly")->group("Commands");
  command->add_option("APP", name, "name of the application")->type_name("")->required();
  command->callback([&name, &chosen] {
    chosen = [&name] {
      const app* const application = find_app(name);
      if (application == nullptr) {
        throw usage_error("unknown application '" + name + "'; see duomap list");
      }
      print(describe_text(*application));
      return static_cast<int>(exit_status::ok);
    };
  });
}

int execute(int argc, const char* const* argv) {
  run_options options;
  std::string name;
  bench_choice choice{.measurements = {}, .request = {}, .command = typed(argc, argv)};
  action chosen;

  CLI::App root("duomap runs one MapReduce task on all CPU cores and GPUs of this machine.", "duomap");
  root.require_subcommand(1);
  root.get_formatter()->label("SUBCOMMAND", "COMMAND");
  root.set_help_flag("-h,--help", "print this help");
  root.set_version_flag("--version", "duomap " + std::string(version), "print the version");
  root.footer("Start with: duomap list, duomap describe wordcount, duomap run wordcount FILE");
  add_run(root, options, chosen);
  add_bench(root, choice, chosen);
  add_calibrate(root, options, chosen);
  root.add_subcommand("list", "the applications")->group("Commands")->callback([&chosen] {
    chosen = [] {
      print(list_text());
      return static_cast<int>(exit_status::ok);
    };
  });
  add_describe(root, name, chosen);
  root.add_subcommand("doctor", "what this machine offers and what keeps duomap from using it")
      ->group("Commands")
      ->callback([&chosen] { chosen = print_doctor; });

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

}  // namespace

int run_program(int argc, const char* const* argv) noexcept {
  try {
    hold_standard_descriptors();
    install_signal_handlers(control);
    return execute(argc, argv);
  } catch (...) {
    return report_failure();
  }
}

}  // namespace duomap::apps
