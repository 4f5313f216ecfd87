// How much memory this process has used.
// host only
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// Bytes, as the kernel counts them; 0 when it does not say.
struct memory_use {
  std::uint64_t peak_resident = 0;  ///< largest resident set so far (VmHWM), pages of mapped inputs included
  std::uint64_t resident = 0;       ///< resident set now (VmRSS)
  std::uint64_t anonymous = 0;  ///< resident now without mapped files (RssAnon): what the program allocated
};

/// What a /proc/PID/status text says.
[[nodiscard]] memory_use parse_memory_use(std::string_view status);

/// This process, now. About 20 us.
[[nodiscard]] memory_use current_memory_use();

/// From now on memory_use::peak_resident is the peak of what comes. False when the kernel does not let.
[[nodiscard]] bool forget_peak_resident();

/// Follows the anonymous memory, whose peak the kernel does not keep: the largest value seen by sample().
/// Peaks between two samples are missed. Any thread may call any method.
class memory_watch {
 public:
  void sample();

  /// With the largest sample in `anonymous`, this moment included.
  [[nodiscard]] memory_use peak();

 private:
  std::atomic<std::uint64_t> anonymous_{0};
};

}  // namespace duomap::apps
