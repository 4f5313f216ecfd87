// Runs work on a new thread. The system may refuse to start the thread.
// host only
#pragma once

#include <functional>
#include <string>
#include <system_error>

namespace duomap {

/// Throws the error for a thread that the system did not start. `purpose`: "to measure GPU 0".
/// @throws out_of_memory in any case
[[noreturn]] void no_thread(const std::string& purpose, const std::system_error& why);

/// Calls `body` on a new thread, waits for its end, and rethrows its exception.
/// @throws out_of_memory when the system starts no thread
void on_own_thread(const std::string& purpose, const std::function<void()>& body);

}  // namespace duomap
