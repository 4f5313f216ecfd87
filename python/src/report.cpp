// Defines the Python class Report: a run's report as JSON, HTML and lines of text.
#include "apps/report/html_report.hpp"
#include "watched_run.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;

apps::run_summary with_memory(const apps::run_summary& summary) {
  apps::run_summary now = summary;
  now.memory = apps::current_memory_use();
  return now;
}

}  // namespace

void add_report(nb::module_& module) {
  nb::class_<apps::run_summary>(module, "Report")
      .def("json", [](const apps::run_summary& of) { return apps::summary_json(with_memory(of)); })
      .def("html",
           [](const apps::run_summary& of) {
             const std::string page =
                 apps::html_report(with_memory(of), "duomap in Python: " + of.report.task);
             return nb::bytes(page.data(), page.size());
           })
      .def("lines", [](const apps::run_summary& of) {
        std::vector<std::string> lines = apps::summary_lines(with_memory(of));
        for (std::string& line : apps::explained_lines(of)) lines.push_back(std::move(line));
        return lines;
      });
}

}  // namespace duomap::python
