// Runs the commands of a build recipe, and makes the identity of a build from all its inputs.
#include "apps/build_cache/build.hpp"

#include "apps/build_cache/build_sources.hpp"
#include "apps/build_cache/child_group.hpp"
#include "apps/build_cache/compile_error.hpp"
#include "apps/build_cache/private_folder.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace duomap::apps {

namespace {

namespace fs = std::filesystem;

// Variables that name folders of headers, which a compiler searches before the system's folders.
constexpr std::array<const char*, 2> header_variables{"CPATH", "CPLUS_INCLUDE_PATH"};
// Other variables that change the output of compilers, assembler and linker.
constexpr std::array<const char*, 12> other_variables{"LIBRARY_PATH",
                                                      "COMPILER_PATH",
                                                      "GCC_EXEC_PREFIX",
                                                      "SOURCE_DATE_EPOCH",
                                                      "LD_RUN_PATH",
                                                      "LD_LIBRARY_PATH",
                                                      "NVCC_PREPEND_FLAGS",
                                                      "NVCC_APPEND_FLAGS",
                                                      "NVCC_CCBIN",
                                                      "CCC_OVERRIDE_OPTIONS",
                                                      "CLANG_CONFIG_FILE_SYSTEM_DIR",
                                                      "SDKROOT"};

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream from(text);
  for (std::string part; std::getline(from, part, separator);) parts.push_back(part);
  return parts;
}

std::string working_folder() {
  std::error_code problem;
  const fs::path folder = fs::current_path(problem);
  return problem ? "" : folder.string();
}

std::string on_path(const std::string& program) {
  for (const std::string& folder : split(variable("PATH"), ':')) {
    if (const std::string path = folder + "/" + program; ::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

bool is_regular(const std::string& path) {
  struct stat found {};
  return path.starts_with('/') && ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}

// The files that a word of a command may name: the word itself, or the part behind an @ (a file of options),
// an = or a comma.
std::vector<std::string> files_named(const std::string& word) {
  std::vector<std::string> files;
  if (is_regular(word)) files.push_back(word);
  for (const char before : {'@', '=', ','}) {
    const std::size_t at = word.find(before);
    if (at != std::string::npos && is_regular(word.substr(at + 1))) files.push_back(word.substr(at + 1));
  }
  return files;
}

// Programs that a compiler starts: assembler and linker from $PATH, and the tools beside nvcc.
std::vector<std::string> helpers_of(const std::string& compiler) {
  std::vector<std::string> paths{on_path("as"), on_path("ld")};
  const fs::path path(compiler);
  if (path.filename() == "nvcc") {
    for (const char* const name : {"cudafe++", "ptxas", "fatbinary", "nvlink", "../nvvm/bin/cicc"})
      paths.push_back((path.parent_path() / name).string());
    paths.push_back(on_path("g++"));
  }
  return paths;
}

// All facts that decide the product of a build and are known before a compiler runs, as one text.
std::string identity_of(const build_recipe& recipe) {
  std::string text = recipe.title + "\nduomap " + std::string(version) + "\n" + recipe.facts + "\n";
  const auto add_file = [&](const std::string& path) {
    text += "file " + path + " " + stamp_of(path) + "\n";
  };
  for (const auto& [name, content] : recipe.files)
    text += "text " + name + " " + std::to_string(content.size()) + "\n" + content + "\n";
  for (const std::vector<command_words>& step : recipe.steps) {
    for (const command_words& command : step) {
      text += "command\n";
      for (const std::string& word : command) {
        text += "  " + word + "\n";
        for (const std::string& file : files_named(word)) add_file(file);
      }
      for (const std::string& helper : helpers_of(command[0])) add_file(helper);
    }
  }
  for (const std::string& file : recipe.stamped) add_file(file);
  const auto add_variable = [&](const char* name) {
    text += std::string(name) + "=" + variable(name) + "\n";
  };
  std::ranges::for_each(header_variables, add_variable);
  std::ranges::for_each(other_variables, add_variable);
  // A relative folder in a variable begins at the working folder.
  const bool any =
      !recipe.runs_in_folder && !(variable(header_variables[0]) + variable(header_variables[1])).empty();
  return text + "in " + (any ? working_folder() : "") + "\n";
}

std::string absolute(const std::string& path, const std::string& from) {
  return path.starts_with('/') ? path : from + "/" + path;
}

// Folders of headers that a command or a variable names.
std::vector<std::string> header_folders(const build_recipe& recipe, const std::string& from) {
  std::vector<std::string> folders;
  const auto add = [&](const std::string& folder) {
    // Only this process writes to the build's folder, so a build need not watch the files there.
    if (recipe.runs_in_folder && !folder.starts_with('/')) return;
    const std::string path = absolute(folder.empty() ? "." : folder, from);
    if (path != recipe.duomap_headers) folders.push_back(path);
  };
  for (const std::vector<command_words>& step : recipe.steps) {
    for (const command_words& command : step) {
      for (std::size_t i = 0; i < command.size(); ++i) {
        for (const std::string_view option : {"-I", "-iquote", "-isystem", "-idirafter"}) {
          if (!command[i].starts_with(option)) continue;
          const bool apart = command[i] == option;
          if (!apart) add(command[i].substr(option.size()));
          if (apart && i + 1 < command.size()) add(command[i + 1]);
        }
      }
    }
  }
  for (const char* const name : header_variables) {
    for (const std::string& folder : split(variable(name), ':')) add(folder);
  }
  return folders;
}

// Runs the commands of a recipe once, in an open folder.
class builder {
 public:
  builder(const build_recipe& recipe, int folder, const run_control* control)
    : recipe_(recipe),
      folder_(folder),
      path_("/proc/self/fd/" + std::to_string(folder)),
      control_(control),
      start_(next_file_clock()) {}

  std::optional<std::string> build() {
    for (const auto& [name, content] : recipe_.files) write_text_at(folder_, name, content);
    for (std::size_t i = 0; i < recipe_.steps.size(); ++i) {
      std::vector<command_words> step = recipe_.steps[i];
      if (i + 1 == recipe_.steps.size())
        step.back().insert(step.back().end(), recipe_.libraries.begin(), recipe_.libraries.end());
      run(step);
    }
    const std::vector<std::string> read = files_read();
    const std::optional<std::string> sources =
        read.empty() ? std::nullopt
                     : text_of_sources(
                           {read, tools(), header_folders(recipe_, from()), recipe_.duomap_headers, start_});
    for (const std::string& name : names_in(folder_)) {
      if (name != build_cache::product) remove_at(folder_, name);
    }
    return sources;
  }

 private:
  [[nodiscard]] std::string from() const { return recipe_.runs_in_folder ? path_ : working_folder(); }

  [[nodiscard]] file_descriptor new_file(const std::string& name) const {
    return file_descriptor(
        ::openat(folder_, name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  }

  std::unique_ptr<child_group> start(command_words words, int said) const {
    for (std::string& word : words) {
      for (const auto& [stands, value] :
           {std::pair(build_folder, path_), std::pair(build_source, recipe_.source)}) {
        const std::size_t at = word.find(stands);
        if (at != std::string::npos) word.replace(at, std::string_view(stands).size(), value);
      }
    }
    return std::make_unique<child_group>(
        words, child_place{folder_, recipe_.runs_in_folder ? folder_ : -1, said, path_});
  }

  void run(const std::vector<command_words>& step) const {
    std::vector<std::unique_ptr<child_group>> running;
    std::vector<file_descriptor> said;
    for (const command_words& command : step) {
      if (recipe_.collects_messages) said.push_back(new_file("said" + std::to_string(said.size())));
      running.push_back(start(command, recipe_.collects_messages ? said.back().get() : -1));
    }
    // If several compilers refuse the source, only the first one's message is shown: all say the same.
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (running[i]->wait_for_success(control_)) continue;
      throw compile_error(recipe_.refused(i, recipe_.collects_messages ? said_in(said[i]) : ""));
    }
  }

  static std::string said_in(const file_descriptor& file) {
    ::lseek(file.get(), 0, SEEK_SET);
    std::string text = whole_text(file).value_or("");
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  }

  // Absolute paths of the files that the compilers have read, without the recipe's own files. Empty when a
  // compiler wrote no list of files.
  [[nodiscard]] std::vector<std::string> files_read() const {
    std::vector<std::string> files;
    for (const std::string& list : recipe_.dependencies) {
      const std::vector<std::string> names = parse_dependencies(own_text_at(folder_, list).value_or(""));
      if (names.empty()) return {};
      for (const std::string& name : names) {
        const std::string inside = name.starts_with(path_ + "/") ? name.substr(path_.size() + 1) : name;
        const bool written = std::ranges::any_of(recipe_.files, [&](const auto& one) {
          return one.first == inside || "./" + one.first == inside;
        });
        const bool in_folder = recipe_.runs_in_folder || inside != name;
        if (!written || !in_folder) files.push_back(absolute(name, from()));
      }
    }
    return files;
  }

  // The programs that the compiler driver starts. They count as sources of the build, because a new version
  // may be installed without a change of the driver.
  [[nodiscard]] std::vector<std::string> tools() const {
    std::vector<std::string> paths;
    for (const char* const name : {"cc1plus", "collect2"}) {
      const file_descriptor said = new_file("said");
      const auto asked =
          start({recipe_.steps.back().back()[0], std::string("-print-prog-name=") + name}, said.get());
      if (!asked->wait_for_success(control_)) continue;
      if (const std::string path = said_in(said); path.starts_with('/')) paths.push_back(path);
    }
    return paths;
  }

  const build_recipe& recipe_;
  int folder_;
  std::string path_;
  const run_control* control_;
  timespec start_;
};

}  // namespace

file_descriptor built(const build_recipe& recipe, const run_control* control) {
  build_cache cache(usual_build_folder());
  return cache.find_or_make(identity_of(recipe), {.title = recipe.title,
                                                  .make =
                                                      [&](int folder) {
                                                        recipe.starting();
                                                        return builder(recipe, folder, control).build();
                                                      },
                                                  .waiting = recipe.waiting,
                                                  .control = control});
}

}  // namespace duomap::apps
