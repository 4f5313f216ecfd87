// Declares the Python class FunctionTask: a task whose map is a Python function that Numba compiled.
#pragma once

#include "core/verify/laws.hpp"
#include "function_facts.hpp"
#include "gpu_functions.hpp"
#include "own_task.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {

class function_object {
 public:
  /// `address` is the address of a compiled_function, which Python keeps alive. `key` is "none", "dense",
  /// "bytes" or the name of a NumPy type; `value` is the name of a NumPy type.
  function_object(std::uintptr_t address, std::string name, const std::string& format,
                  std::uint32_t row_bytes, std::string key, std::uint64_t key_count, std::string value,
                  const std::string& operation);

  /// Lets later runs use GPUs. `images`: pairs of a compute capability and a cubin, which has the kernels
  /// with the function linked into them. Call it only for tasks over rows.
  void link(const std::vector<std::pair<int, nanobind::bytes>>& images);
  /// Sets the reason why runs with device "auto" use no GPU, for a note in their reports.
  void set_without_gpu(std::string reason) { without_gpu_ = std::move(reason); }

  [[nodiscard]] input_content content() const { return facts_.format.content(); }
  void run(const own_task_call& call) const;
  [[nodiscard]] std::vector<law_check> verify(const input& from) const;

 private:
  std::string name_;
  std::string key_;
  std::string value_;
  function_facts facts_;
  std::shared_ptr<linked_kernels> kernels_;
  std::string without_gpu_;
};

void add_function_tasks(nanobind::module_& module);

}  // namespace duomap::python
