// Work on a thread of its own, which the system may refuse.
// host only
#pragma once

#include <functional>
#include <string>
#include <system_error>

namespace duomap {

/// `purpose` is for the message: "to measure GPU 0".
/// @throws out_of_memory always
[[noreturn]] void no_thread(const std::string& purpose, const std::system_error& why);

/// Calls `body` on a new thread, waits, and throws what it threw.
/// @throws out_of_memory when the system starts no thread
void on_own_thread(const std::string& purpose, const std::function<void()>& body);

}  // namespace duomap
