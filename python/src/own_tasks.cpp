#include "own_tasks.hpp"

#include "column_set.hpp"
#include "job.hpp"
#include "own_task.hpp"
#include "texts.hpp"

#include <dlfcn.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
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

  [[nodiscard]] const own_task& get() const noexcept { return *task_; }

 private:
  const own_task* task_;
};

std::pair<column_set, apps::run_summary> run_task(const loaded_task& task, const texts& from,
                                                  const std::vector<std::string>& names,
                                                  const std::string& title, const settings& how) {
  return run_job(how, from.brief(), [&](job& one) {
    const own_task& own = task.get();
    const input opened = from.open(own.binary ? input_content::records : input_content::text);
    columns found;
    own.run({opened, one.options(), names, found});
    one.report().task = title;
    return share(std::move(found));
  });
}

}  // namespace

void add_own_tasks(nb::module_& module) {
  nb::class_<loaded_task>(module, "Task").def(nb::init<const nb::bytes&>(), "path"_a);
  module.def("run_task", run_task, "task"_a, "texts"_a, "names"_a, "title"_a, "settings"_a);
}

}  // namespace duomap::python
