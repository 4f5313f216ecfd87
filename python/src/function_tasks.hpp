// Tasks whose map is a Python function that Numba compiled, whatever their types.
#pragma once

#include "core/verify/laws.hpp"
#include "function_facts.hpp"
#include "own_task.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::python {

class function_object {
 public:
  /// `address`: of the compiled_function, which Python keeps. `key` is "none", "dense", "bytes" or a type of
  /// NumPy, as `value` is.
  function_object(std::uintptr_t address, std::string name, const std::string& format,
                  std::uint32_t row_bytes, std::string key, std::uint64_t key_count, std::string value,
                  const std::string& operation);

  [[nodiscard]] bool binary() const noexcept { return facts_.format.is_rows(); }
  void run(const own_task_call& call) const;
  [[nodiscard]] std::vector<law_check> verify(const input& from) const;

 private:
  std::string name_;
  std::string key_;
  std::string value_;
  function_facts facts_;
};

void add_function_tasks(nanobind::module_& module);

}  // namespace duomap::python
