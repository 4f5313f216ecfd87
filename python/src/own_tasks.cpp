// Compiles, loads, runs and verifies the tasks of users.
#include "own_tasks.hpp"

#include "apps/build_cache/build.hpp"
#include "apps/build_cache/build_cache.hpp"
#include "apps/build_cache/private_folder.hpp"
#include "column_set.hpp"
#include "core/path_problem.hpp"
#include "function_tasks.hpp"
#include "loaded_library.hpp"
#include "own_task.hpp"
#include "supervise.hpp"
#include "texts.hpp"
#include "watched_run.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// A task in a shared library. The library stays loaded, because exceptions may have types of the library.
class loaded_task {
 public:
  explicit loaded_task(file_descriptor library)
    : task_(static_cast<const own_task*>(symbol_of_library(std::move(library), "duomap_python_task"))) {
    if (task_ == nullptr || version != task_->version)
      throw input_error("the compiled task is none of duomap " + std::string(version) +
                        "; type duomap cache --clear");
  }

  [[nodiscard]] input_content content() const { return task_->content(); }
  void run(const own_task_call& call) const { task_->run(call); }
  [[nodiscard]] std::vector<law_check> verify(const input& from) const {
    std::vector<law_check> checks;
    task_->verify(from, checks);
    return checks;
  }

 private:
  const own_task* task_;
};

template <class Task>
input open_for(const Task& task, const texts& from) {
  return from.open(task.content());
}

template <class Task>
std::pair<column_set, apps::run_summary> run_task(const Task& task, const texts& from,
                                                  const std::vector<std::string>& names,
                                                  const std::string& title, const settings& how) {
  refuse_deterministic(how, "a task of your own adds floating-point numbers in any order");
  return run_watched(how, from.brief(), [&](watched_run& one) {
    const input opened = open_for(task, from);
    columns found;
    task.run({opened, one.options(), names, found});
    one.report().task = title;
    return share(std::move(found));
  });
}

// Bytes instead of str, because a file's name may not be UTF-8.
using words = std::vector<nb::bytes>;

std::vector<std::string> texts_of(const words& all) {
  std::vector<std::string> texts;
  for (const nb::bytes& one : all) texts.emplace_back(one.c_str(), one.size());
  return texts;
}

std::string text_of(const nb::bytes& one) { return {one.c_str(), one.size()}; }

/// Compiles a task, or takes it from the cache. `hint`: the end of the error message if a command other than
/// the first of its step fails.
loaded_task compile_task(const std::string& name, const std::vector<std::pair<std::string, nb::bytes>>& files,
                         const std::vector<std::vector<words>>& steps, const words& libraries,
                         const std::vector<std::string>& dependencies, const words& stamped,
                         const std::string& facts, const nb::bytes& duomap_headers, const std::string& hint) {
  apps::build_recipe recipe;
  recipe.title = name + ", of duomap.cpp_task";
  for (const auto& [file, content] : files) recipe.files.emplace_back(file, text_of(content));
  for (const std::vector<words>& step : steps) {
    std::vector<apps::command_words>& commands = recipe.steps.emplace_back();
    for (const words& command : step) commands.push_back(texts_of(command));
  }
  recipe.libraries = texts_of(libraries);
  recipe.dependencies = dependencies;
  recipe.stamped = texts_of(stamped);
  recipe.facts = facts;
  recipe.duomap_headers = text_of(duomap_headers);
  recipe.runs_in_folder = true;
  recipe.collects_messages = true;
  recipe.refused = [&](std::size_t command, const std::string& said) {
    return name + " does not compile:\n" + said + (command > 0 ? "\n" + hint : "");
  };
  run_control control;
  file_descriptor library;
  supervise(control, nb::none(), [&] { library = apps::built(recipe, &control); });
  return loaded_task(std::move(library));
}

/// Returns the bytes that the cache has under `identity`. If there are none, calls make() and stores its
/// bytes.
nb::bytes cached(const std::string& identity, const std::string& title, const nb::object& make) {
  std::optional<std::string> bytes;
  {
    const nb::gil_scoped_release free;
    apps::build_cache cache(apps::usual_build_folder());
    const auto write = [&](int folder) -> std::optional<std::string> {
      const nb::gil_scoped_acquire held;
      apps::write_text_at(folder, apps::build_cache::product, text_of(nb::cast<nb::bytes>(make())));
      return "";
    };
    bytes = apps::whole_text(cache.find_or_make(identity, {.title = title, .make = write}));
  }
  if (!bytes) throw output_error("the folder of compiled tasks cannot be read: " + error_text(errno));
  return nb::bytes(bytes->data(), bytes->size());
}

using check_texts = std::tuple<std::string, std::uint64_t, std::string, std::string>;

template <class Task>
std::vector<check_texts> verify_task(const Task& task, const texts& from, const settings& how) {
  auto [checks, summary] =
      run_watched(how, false, [&](watched_run& /*one*/) { return task.verify(open_for(task, from)); });
  std::vector<check_texts> all;
  for (law_check& one : checks)
    all.emplace_back(std::move(one.law), one.trials, std::move(one.found), std::move(one.counterexample));
  return all;
}

template <class Task>
void add_calls(nb::module_& module) {
  module.def("run_task", run_task<Task>, "task"_a, "texts"_a, "names"_a, "title"_a, "settings"_a);
  module.def("verify_task", verify_task<Task>, "task"_a, "texts"_a, "settings"_a);
}

}  // namespace

void add_own_tasks(nb::module_& module) {
  nb::class_<loaded_task>(module, "Task");
  module.def("compile_task", compile_task, "name"_a, "files"_a, "steps"_a, "libraries"_a, "dependencies"_a,
             "stamped"_a, "facts"_a, "duomap_headers"_a, "hint"_a);
  module.def("cached", cached, "identity"_a, "title"_a, "make"_a);
  add_function_tasks(module);
  add_calls<loaded_task>(module);
  add_calls<function_object>(module);
}

}  // namespace duomap::python
