#include "apps/cli/end_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DUOMAP_ENDS_IN_ORDER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DUOMAP_ENDS_IN_ORDER 1
#endif
#endif
#ifndef DUOMAP_ENDS_IN_ORDER
#define DUOMAP_ENDS_IN_ORDER 0
#endif

namespace duomap::apps {
namespace {

// A library of a tool writes what it has seen when the process calls exit().
bool watched() noexcept {
  constexpr std::array by = {"LD_PRELOAD", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"};
  return DUOMAP_ENDS_IN_ORDER == 1 ||
         std::any_of(by.begin(), by.end(), [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

void end_process(int status) noexcept {
  if (watched()) std::exit(status);
  ::_exit(status);
}

}  // namespace duomap::apps
