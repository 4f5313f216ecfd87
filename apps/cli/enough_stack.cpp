// Runs the program's work on a thread with 8 MiB of stack when the process has less.
#include "apps/cli/enough_stack.hpp"

#include "core/own_thread.hpp"

#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>

namespace duomap::apps {
namespace {

// 8 MiB is the system's default. A word count needs more than 64 KiB, and values of tasks may have 256 KiB.
constexpr std::size_t enough = std::size_t{8} << 20;

bool has_enough() {
  rlimit stack{};
  return ::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur >= enough;
}

}  // namespace

int on_enough_stack(const std::function<int()>& work) {
  if (has_enough()) return work();
  pthread_attr_t attributes;
  if (::pthread_getattr_default_np(&attributes) == 0) {
    ::pthread_attr_setstacksize(&attributes, enough);
    ::pthread_setattr_default_np(&attributes);
    ::pthread_attr_destroy(&attributes);
  }
  int status = 0;
  on_own_thread("with a stack of 8 MiB (the process has less: ulimit -s)", [&] { status = work(); });
  return status;
}

}  // namespace duomap::apps
