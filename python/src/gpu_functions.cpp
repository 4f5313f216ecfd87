// Runs linked functions on GPUs for each kind of key, and converts their values from 8-byte words.
#include "gpu_functions.hpp"

#include "core/error.hpp"
#include "row_function.hpp"

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {

#if DUOMAP_HAS_CUDA

namespace {

template <class Key>
void run_with_key(const function_facts& facts, word_type type, const row_function_host& host,
                  const kernel_flag& failed, const own_task_call& call) {
  row_function<Key> task;
  task.form = std::get<rows<char>>(facts.format.of);
  task.how = {facts.operation, type};
  task.keys = facts.key_count;
  task.host = reinterpret_cast<std::uintptr_t>(&host);
  task.failed = reinterpret_cast<std::uintptr_t>(failed.address());
  run_own_task(task, call);
}

template <class V>
void as_type(column& of) {
  const auto& words = std::get<std::vector<std::uint64_t>>(of.values);
  std::vector<V> values;
  values.reserve(words.size());
  for (const std::uint64_t one : words) values.push_back(std::bit_cast<V>(one));
  of.values = std::move(values);
}

}  // namespace

std::shared_ptr<linked_kernels> load_kernels(std::vector<linked_image> images) {
  return std::make_shared<linked_kernels>(std::move(images));
}

bool run_on_gpus(const function_facts& facts, const std::string& key, const std::string& value,
                 linked_kernels& kernels, const own_task_call& call) {
  const row_function_host host{facts, &kernels};
  const kernel_flag failed;
  const word_type type = value == "i8" ? word_type::i8 : value == "u8" ? word_type::u8 : word_type::f8;
  try {
    if (key == "none") {
      run_with_key<no_key>(facts, type, host, failed, call);
    } else if (key == "dense") {
      run_with_key<dense>(facts, type, host, failed, call);
    } else {
      run_with_key<std::uint64_t>(facts, type, host, failed, call);
    }
  } catch (const map_failed&) {
    return false;
  }
  if (failed.is_set()) return false;
  column& values = call.found.all.back();
  if (type == word_type::i8) as_type<std::int64_t>(values);
  if (type == word_type::f8) as_type<double>(values);
  return true;
}

#else

std::shared_ptr<linked_kernels> load_kernels(std::vector<linked_image> /*images*/) {
  throw device_unavailable("this duomap was built without GPU code");
}

bool run_on_gpus(const function_facts& /*facts*/, const std::string& /*key*/, const std::string& /*value*/,
                 linked_kernels& /*kernels*/, const own_task_call& /*call*/) {
  throw device_unavailable("this duomap was built without GPU code");
}

#endif

}  // namespace duomap::python
