#include "apps/cli/build_text.hpp"

#include "core/config.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/driver_status.hpp"

#include <sys/utsname.h>

namespace duomap::apps {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
}

std::string sanitizer() {
#if defined(__SANITIZE_ADDRESS__)
  return "address sanitizer";
#elif defined(__SANITIZE_THREAD__)
  return "thread sanitizer";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return "address sanitizer";
#elif __has_feature(thread_sanitizer)
  return "thread sanitizer";
#endif
#endif
  return {};
}

}  // namespace

std::string build_text() {
  std::string text = compiler();
#if defined(DUOMAP_BUILD_TYPE)
  text += std::string(", ") + DUOMAP_BUILD_TYPE;
#endif
  const int toolkit = gpu::toolkit_version();
  text += toolkit == 0 ? ", without CUDA" : ", CUDA " + gpu::version_text(toolkit);
#if defined(DUOMAP_FAST_COMPILE)
  text += ", not optimised: " DUOMAP_FAST_COMPILE;
#endif
  if (!sanitizer().empty()) text += ", " + sanitizer();
  if (torture) text += ", torture build";
  return text;
}

std::string kernel_text() {
  utsname system{};
  if (uname(&system) != 0) return "unknown";
  return std::string(system.sysname) + " " + system.release + " " + system.machine;
}

}  // namespace duomap::apps
