// Tasks whose map is a Python function that Numba compiled, whatever their types.
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
  /// `address`: of the compiled_function, which Python keeps. `key` is "none", "dense", "bytes" or a type of
  /// NumPy, as `value` is.
  function_object(std::uintptr_t address, std::string name, const std::string& format,
                  std::uint32_t row_bytes, std::string key, std::uint64_t key_count, std::string value,
                  const std::string& operation);

  /// Of rows with keys that are no bytes: from now on runs may use GPUs, with kernels that the function is
  /// linked into.
  void link(const std::vector<std::pair<int, nanobind::bytes>>& images);
  /// For the report of a run that might have used GPUs: why it did not.
  void set_without_gpu(std::string reason) { without_gpu_ = std::move(reason); }

  [[nodiscard]] bool binary() const noexcept { return facts_.format.is_rows(); }
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
