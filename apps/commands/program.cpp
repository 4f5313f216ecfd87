// Makes the commands of `duomap` and runs the command that the command line names.
#include "apps/commands/program.hpp"

#include "apps/build_cache/child_group.hpp"
#include "apps/cli/become_bench.hpp"
#include "apps/cli/command_line.hpp"
#include "apps/cli/console.hpp"
#include "apps/cli/examples.hpp"
#include "apps/cli/old_names.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/run_arguments.hpp"
#include "apps/cli/run_command.hpp"
#include "apps/commands/calibrate/calibrate.hpp"
#include "apps/commands/doctor.hpp"
#include "apps/commands/own_task/become_task.hpp"
#include "apps/commands/own_task/new_task.hpp"
#include "apps/commands/registry.hpp"
#include "core/error.hpp"
#include "core/run_control.hpp"

#include <CLI/CLI.hpp>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::apps {

namespace {

// The object is static, because signal handlers use it until the process ends.
run_control program_control;

// The text below the help of `duomap run APP`.
std::string footer_of(const app& application) {
  return "Examples:\n" + std::string(divide_description(application).examples) + "\n  duomap describe " +
         std::string(application.name) +
         "    # what it computes, exactly\n\nExit status: 0 done, 1 failed, 2 wrong usage, 3 device not "
         "available,\n4 out of memory, 5 bad input, 130 interrupted.";
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
  return text + "\nAll options: duomap run " + name + " --help\n";
}

int print_doctor() {
  std::ostringstream text;
  const int status = doctor(text);
  print(text.str());
  return status;
}

using command_words = std::vector<std::string>;

// Whether the command needs the options of an application: the command line names both, or a hidden command
// needs all options. Making the options of all applications took a third of a short command's time.
bool is_named(const command_words& words, std::string_view command, std::string_view application) {
  const auto has = [&](std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  const bool all = words.size() > 1 && words[1].starts_with("__");
  return all || (has(command) && has(application));
}

// Adds a command like `duomap run`, with a subcommand for each application, or for each that can be done in
// parts. `fill` adds the application's options and returns the callback of the subcommand.
void add_applications(CLI::App& root, const command_words& words, const std::string& name,
                      const std::string& help,
                      const std::function<std::function<void()>(CLI::App&, const app&)>& fill,
                      bool in_parts = false) {
  CLI::App* const command = root.add_subcommand(name, help)->group("Commands");
  command->require_subcommand(1);
  command->formatter(std::make_shared<CLI::Formatter>());
  command->get_formatter()->label("SUBCOMMAND", "APP");
  command->footer("Its options: duomap " + name + " APP --help");
  for (const app* application : all_apps()) {
    if (in_parts && !application->has_parts) continue;
    CLI::App* const child =
        command->add_subcommand(std::string(application->name), std::string(application->summary));
    child->group("Applications");
    if (!is_named(words, name, application->name)) continue;
    child->callback(fill(*child, *application));
    refuse_flag_values(*child);
  }
}

// A subcommand's callback, which sets `chosen` to an action that runs the application.
std::function<void()> choose_run(const app& application, run_arguments& options, action& chosen) {
  return [&application, &options, &chosen] {
    chosen = [&options, &application] {
      run_command(application, options, program_control);
      return static_cast<int>(exit_status::ok);
    };
  };
}

void add_run(CLI::App& root, const command_words& words, run_arguments& options, action& chosen) {
  add_applications(root, words, "run", "run an application",
                   [&options, &chosen](CLI::App& command, const app& application) {
                     add_run_options(command, options, application.input_option, application.files);
                     if (application.add_options) {
                       application.add_options(command);
                     }
                     command.footer(footer_of(application));
                     return choose_run(application, options, chosen);
                   });
  root.get_subcommand("run")->footer(
      "Its options: duomap run APP --help\n"
      "A task of your own runs by its header: duomap run ./task.hpp PATH...");
}

void add_parts(CLI::App& root, const command_words& words, run_arguments& options, action& chosen) {
  const auto with_options = [&options, &chosen](void (*add)(CLI::App&, run_arguments&)) {
    return [&options, &chosen, add](CLI::App& command, const app& application) {
      add(command, options);
      if (application.add_options) application.add_options(command);
      return choose_run(application, options, chosen);
    };
  };
  add_applications(
      root, words, "map", "map a part of the input, for duomap merge",
      with_options([](CLI::App& command, run_arguments& into) { add_map_options(command, into); }), true);
  add_applications(root, words, "merge", "merge mapped parts into the result",
                   with_options(add_merge_options), true);
}

// Adds `duomap calibrate`, which measures the machine if no application is named.
void add_calibrate(CLI::App& root, const command_words& words, run_arguments& options, action& chosen) {
  add_applications(root, words, "calibrate", "measure this machine, or an application on each device",
                   [&options, &chosen](CLI::App& command, const app& application) {
                     add_application_calibration_options(command, options, application.input_option);
                     if (application.add_options) {
                       application.add_options(command);
                     }
                     return [&options, &chosen, &application] {
                       chosen = [&options, &application] {
                         // A calibration has no summary, so it prints these notes itself.
                         for (const std::string& note : notes_on_old_names()) say("note: " + note);
                         print(calibrate_application(application, options, program_control));
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
      print(calibrate_machine(options, program_control));
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

void add_new(CLI::App& root, new_task& task, action& chosen) {
  CLI::App* const command =
      root.add_subcommand("new", "write the first files of a task of your own")->group("Commands");
  command->add_option("NAME", task.name, "name of the task, and of a new folder for it")
      ->type_name("")
      ->required();
  add_choice(*command, "--format", task.format, "the record format: see docs/reference/task.md",
             new_task_formats());
  add_choice(*command, "--key", task.key, "the kind of keys: texts, numbers, numbers below 256,\nor none",
             new_task_keys());
  add_choice(*command, "--reduce", task.reduce,
             "what becomes of the values under a key; own: a\nreduction of your own", new_task_reductions());
  command->callback([&task, &chosen] {
    chosen = [&task] {
      print(write_new_task(task));
      return static_cast<int>(exit_status::ok);
    };
  });
}

void add_cache(CLI::App& root, bool& clear, action& chosen) {
  CLI::App* const command =
      root.add_subcommand("cache", "the tasks that were compiled, of headers and for Python")
          ->group("Commands");
  add_flag(*command, "--clear", clear, "remove them");
  command->callback([&clear, &chosen] {
    chosen = [&clear] {
      print(cache_report(clear));
      return static_cast<int>(exit_status::ok);
    };
  });
}

// The command line. Arguments of another program are turned into duomap's (app::translate).
command_words translated(int argc, const char* const* argv) {
  command_words words(argv, argv + argc);
  constexpr std::size_t fixed = 3;  // duomap run APP
  if (words.size() <= fixed || words[1] != "run") return words;
  const app* const application = find_app(words[2]);
  if (application == nullptr || application->translate == nullptr) return words;
  const auto own = words.begin() + fixed;
  const std::vector<std::string> better = application->translate({own, words.end()});
  words.erase(own, words.end());
  words.insert(words.end(), better.begin(), better.end());
  return words;
}

int execute(int argc, const char* const* argv) {
  run_arguments options;
  options.command = typed(argc, argv);
  std::string name;
  new_task own;
  bool clear = false;
  action chosen;

  const command_words words = translated(argc, argv);
  CLI::App root;
  set_up_root(root);
  root.footer("Start with: duomap list, duomap describe wordcount, duomap run wordcount FILE");
  add_run(root, words, options, chosen);
  add_parts(root, words, options, chosen);
  // The command is added for the help only. become_bench() takes command lines that name it, and duomap-bench
  // has the command's options and its manual page.
  root.add_subcommand("bench", "measure applications, or suites of measurements")
      ->group("Commands")
      ->set_help_flag();
  add_calibrate(root, words, options, chosen);
  root.add_subcommand("list", "the applications")->group("Commands")->callback([&chosen] {
    chosen = [] {
      print(list_text());
      return static_cast<int>(exit_status::ok);
    };
  });
  add_describe(root, name, chosen);
  add_new(root, own, chosen);
  add_cache(root, clear, chosen);
  root.add_subcommand("doctor", "what this machine offers and what keeps duomap from using it")
      ->group("Commands")
      ->callback([&chosen] { chosen = print_doctor; });

  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  return parse_and_do(root, all_apps(), static_cast<int>(words.size()), arguments.data(), chosen);
}

// Whether duomap-bench does the command line: a benchmark, or the completion of words behind `duomap bench`.
bool is_for_bench(int argc, const char* const* argv) {
  const bool completes = argc > 3 && std::string_view(argv[1]) == "__complete";
  return argc > 1 && std::string_view(argv[completes ? 2 : 1]) == "bench";
}

// Whether the command line runs, maps or merges a header's task. A compiled program then does it.
bool is_for_header(int argc, const char* const* argv) {
  const std::string_view stage = argc > 2 ? argv[1] : "";
  return (stage == "run" || stage == "map" || stage == "merge") && is_header(argv[2]);
}

}  // namespace

int run_program(int argc, const char* const* argv) noexcept {
  const action work = [argc, argv] {
    if (is_for_bench(argc, argv)) become_bench(argv);
    if (is_for_header(argc, argv)) become_task(argc, argv, program_control);
    // Each worker calls OpenBLAS by itself, so OpenBLAS needs one thread only. It starts its threads when it
    // is loaded, and interrupts the process when it gets none.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    return execute(argc, argv);
  };
  // A signal that ends the program also ends the compilers of become_task().
  return run_guarded(program_control, work, kill_child_groups);
}

}  // namespace duomap::apps
