// Chooses the C++ types for the names that Python gives, and runs and verifies tasks of these types.
#include "function_tasks.hpp"

#include "core/add_note.hpp"
#include "core/error.hpp"
#include "core/report.hpp"
#include "core/run_options.hpp"
#include "function_task.hpp"

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

/// Calls use(task) with a task for the value type called `value`.
template <class Key, class Use>
void with_value(const std::string& value, const function_facts& facts, const Use& use) {
  if (value == "i8") return use(function_task<Key, std::int64_t>{facts});
  if (value == "u8") return use(function_task<Key, std::uint64_t>{facts});
  if (value == "f8") return use(function_task<Key, double>{facts});
  throw usage_error("values are i8, u8 or f8, not " + value);
}

template <class Use>
void with_task(const std::string& key, const std::string& value, const function_facts& facts,
               const Use& use) {
  if (key == "none") return with_value<no_key>(value, facts, use);
  if (key == "dense") return with_value<dense>(value, facts, use);
  if (key == "bytes") return with_value<byte_view>(value, facts, use);
  return with_value<std::uint64_t>(value, facts, use);
}

function_format format_called(const std::string& name, std::uint32_t row_bytes) {
  if (name == "rows" || name == "rows of bytes")
    return {rows<char>{.width = row_bytes}, name == "rows of bytes"};
  if (name == "lines") return {lines{}};
  return {words{.lower_case = name == "words in small letters"}};
}

function_operation operation_called(const std::string& name) {
  if (name == "sum") return function_operation::sum;
  return name == "minimum" ? function_operation::minimum : function_operation::maximum;
}

/// Converts the keys of a result to the task's key type. Hash tables hold whole numbers in 64 bits.
void narrow_keys(const std::string& key, column& keys) {
  const auto* const wide = std::get_if<std::vector<std::uint64_t>>(&keys.values);
  if (wide == nullptr) return;
  if (key == "i4" || key == "i8") {
    keys.values = std::vector<std::int64_t>(wide->begin(), wide->end());
  } else if (key == "u4") {
    std::vector<std::uint32_t> narrow;
    narrow.reserve(wide->size());
    for (const std::uint64_t one : *wide) narrow.push_back(static_cast<std::uint32_t>(one));
    keys.values = std::move(narrow);
  }
}

}  // namespace

function_object::function_object(std::uintptr_t address, std::string name, const std::string& format,
                                 std::uint32_t row_bytes, std::string key, std::uint64_t key_count,
                                 std::string value, const std::string& operation)
  : name_(std::move(name)), key_(std::move(key)), value_(std::move(value)) {
  facts_.function = reinterpret_cast<compiled_function>(address);
  facts_.format = format_called(format, row_bytes);
  facts_.operation = operation_called(operation);
  facts_.key_count = key_count;
  facts_.range = key_range::of(key_);
}

void function_object::link(const std::vector<std::pair<int, nb::bytes>>& images) {
  std::vector<linked_image> all;
  for (const auto& [capability, cubin] : images) all.push_back({capability, {cubin.c_str(), cubin.size()}});
  kernels_ = load_kernels(std::move(all));
}

void function_object::run(const own_task_call& call) const {
  function_facts facts = facts_;
  facts.name = name_.c_str();
  const bool may_use_gpus = call.options.device != device_choice::cpu;
  const bool done = kernels_ && may_use_gpus && run_on_gpus(facts, key_, value_, *kernels_, call);
  if (!done) {
    run_options options = call.options;
    const bool is_told = options.device == device_choice::automatic && !without_gpu_.empty();
    if ((kernels_ && may_use_gpus) || is_told) {
      call.found.all.clear();
      options.device = device_choice::cpu;
      options.gpus.clear();
    }
    with_task(key_, value_, facts, [&](const auto& task) {
      run_own_task(task, {call.from, options, call.names, call.found});
    });
    if (is_told && options.report != nullptr) add_note(options.report->notes, without_gpu_);
  }
  narrow_keys(key_, call.found.all.front());
}

std::vector<law_check> function_object::verify(const input& from) const {
  function_facts facts = facts_;
  facts.name = name_.c_str();
  std::vector<law_check> checks;
  with_task(key_, value_, facts, [&](const auto& task) { checks = duomap::verify(task, from); });
  return checks;
}

void add_function_tasks(nb::module_& module) {
  nb::class_<function_object>(module, "FunctionTask")
      .def(nb::init<std::uintptr_t, std::string, const std::string&, std::uint32_t, std::string,
                    std::uint64_t, std::string, const std::string&>(),
           "address"_a, "name"_a, "format"_a, "row_bytes"_a, "key"_a, "key_count"_a, "value"_a, "operation"_a)
      .def("link", &function_object::link, "images"_a)
      .def("set_without_gpu", &function_object::set_without_gpu, "reason"_a);
}

}  // namespace duomap::python
