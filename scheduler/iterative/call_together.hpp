// Makes calls that wait for different devices, all at once.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <system_error>
#include <thread>
#include <vector>

namespace duomap::scheduler {

/// Makes all calls at once, and waits until all have ended. The last call is made on this thread, and each
/// other call on a thread of its own. Returns the exception of each call, or null for a call that threw
/// nothing. Calls that got no thread are made one after the other.
[[nodiscard]] inline std::vector<std::exception_ptr> call_together(
    std::span<const std::function<void()>> calls) {
  std::vector<std::exception_ptr> thrown(calls.size());
  const auto call = [&](std::size_t i) noexcept {
    try {
      calls[i]();
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  std::vector<std::jthread> threads;
  threads.reserve(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (i + 1 == calls.size()) {
      call(i);
      break;
    }
    try {
      threads.emplace_back(call, i);
    } catch (const std::system_error&) {
      call(i);
    }
  }
  threads.clear();  // waits for the threads
  return thrown;
}

}  // namespace duomap::scheduler
