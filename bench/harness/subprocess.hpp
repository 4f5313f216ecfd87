// Calls a function in a child process.
// host only
#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

namespace duomap::apps {

/// The ways in which a child ends when the user interrupts the benchmark or the parent is gone.
enum class child_end {
  in_order,  ///< the child removes its files first; a terminal interrupts the child directly
  at_once,   ///< the child is killed; it has no files to remove and handles no interrupts
};

/// Calls work() in a child process, which does not share the heap, threads or GPU context of other work, and
/// returns the result. Rethrows an error of duomap's with the same status. The caller must not have started
/// threads.
/// @param name for messages
/// @throws error also when the child ends without a report, for example by a signal; interrupted
[[nodiscard]] std::string call_in_subprocess(const std::string& name,
                                             const std::function<std::string()>& work, child_end end,
                                             const run_control& control);

/// Calls work() in a child process, which sends the value as its bytes.
template <class Value>
  requires std::is_trivially_copyable_v<Value>
[[nodiscard]] Value value_from_subprocess(const std::string& name, const std::function<Value()>& work,
                                          child_end end, const run_control& control) {
  const std::string bytes = call_in_subprocess(
      name,
      [&] {
        const Value value = work();
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
      },
      end, control);
  expects(bytes.size() == sizeof(Value), "a child sends its whole value");
  Value value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace duomap::apps
