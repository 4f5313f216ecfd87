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

/// Makes all calls, each but the last on a thread of its own, and waits until all have ended. Returns the
/// exception of each call; null for a call that threw nothing. Calls for which there is no thread are made
/// one after the other.
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
  threads.clear();  // waits
  return thrown;
}

}  // namespace duomap::scheduler
