// Work in a child process.
// host only
#pragma once

#include "core/error.hpp"
#include "core/run_control.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

namespace duomap::apps {

/// What becomes of a child when the user interrupts the benchmark, or the parent is gone.
enum class child_end {
  in_order,  ///< it removes its files first; a terminal's interrupt reaches it without the parent
  at_once,   ///< it is killed: it leaves nothing behind, and knows nothing of interrupts
};

/// What work() returns, called in a child process, so that it meets no heap, threads or GPU context that
/// other work left. An error of duomap's that it throws is thrown here, with the same status. The caller must
/// not have started threads.
/// @param name for messages
/// @throws error also when the child ends without a word (a signal); interrupted
[[nodiscard]] std::string call_in_subprocess(const std::string& name,
                                             const std::function<std::string()>& work, child_end end,
                                             const run_control& control);

/// The same for work that returns a value, which is sent as its bytes.
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
