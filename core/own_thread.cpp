// Runs a function on a new thread, and rethrows its exception to the caller.
#include "core/own_thread.hpp"

#include "core/error.hpp"

#include <exception>
#include <thread>

namespace duomap {

void no_thread(const std::string& purpose, const std::system_error& why) {
  throw out_of_memory("the system started no thread " + purpose + " (" + why.what() +
                      "); raise the limit on processes and threads (ulimit -u)");
}

void on_own_thread(const std::string& purpose, const std::function<void()>& body) {
  std::exception_ptr failure;
  const auto call = [&]() noexcept {
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  std::thread its;
  try {
    its = std::thread(call);
  } catch (const std::system_error& why) {
    no_thread(purpose, why);
  }
  its.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace duomap
