#include "own_tasks.hpp"

#include "column_set.hpp"
#include "function_tasks.hpp"
#include "job.hpp"
#include "own_task.hpp"
#include "texts.hpp"

#include <dlfcn.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// A library that stays loaded: exceptions of its types may outlive every call.
class loaded_task {
 public:
  explicit loaded_task(const nb::bytes& path) {
    const std::string file(path.c_str(), path.size());
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      throw input_error("the compiled task cannot be loaded: " + std::string(dlerror()));
    task_ = static_cast<const own_task*>(dlsym(library, "duomap_python_task"));
    if (task_ == nullptr || version != task_->version)
      throw input_error(file + " is no task of duomap " + std::string(version) + "; remove it");
  }

  [[nodiscard]] bool binary() const noexcept { return task_->binary; }
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
  return from.open(task.binary() ? input_content::records : input_content::text);
}

template <class Task>
std::pair<column_set, apps::run_summary> run_task(const Task& task, const texts& from,
                                                  const std::vector<std::string>& names,
                                                  const std::string& title, const settings& how) {
  refuse_deterministic(how, "a task of your own adds floating-point numbers in any order");
  return run_job(how, from.brief(), [&](job& one) {
    const input opened = open_for(task, from);
    columns found;
    task.run({opened, one.options(), names, found});
    one.report().task = title;
    return share(std::move(found));
  });
}

using check_texts = std::tuple<std::string, std::uint64_t, std::string, std::string>;

template <class Task>
std::vector<check_texts> verify_task(const Task& task, const texts& from, const settings& how) {
  auto [checks, summary] =
      run_job(how, false, [&](job& /*one*/) { return task.verify(open_for(task, from)); });
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
  nb::class_<loaded_task>(module, "Task").def(nb::init<const nb::bytes&>(), "path"_a);
  add_function_tasks(module);
  add_calls<loaded_task>(module);
  add_calls<function_object>(module);
}

}  // namespace duomap::python
