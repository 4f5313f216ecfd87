// Names the compiler, the build and the kernel.
#include "apps/report/build_text.hpp"

#include "core/config.hpp"
#include "core/sanitizer.hpp"
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
  if (address_sanitizer) text += ", address sanitizer";
  if (thread_sanitizer) text += ", thread sanitizer";
  if (torture) text += ", torture build";
  return text;
}

std::string kernel_text() {
  utsname system{};
  if (uname(&system) != 0) return "unknown";
  return std::string(system.sysname) + " " + system.release + " " + system.machine;
}

}  // namespace duomap::apps
