// Measures the memory of this process.
// host only
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// Bytes, as the kernel counts them; 0 when the kernel gives no number.
struct memory_use {
  std::uint64_t peak_resident = 0;  ///< largest resident set so far (VmHWM), pages of mapped inputs included
  std::uint64_t resident = 0;       ///< resident set now (VmRSS)
  std::uint64_t anonymous = 0;      ///< resident now without mapped files (RssAnon): allocated memory
};

/// Parses the text of /proc/PID/status.
[[nodiscard]] memory_use parse_memory_use(std::string_view status);

/// The memory of this process now. Takes about 20 us.
[[nodiscard]] memory_use current_memory_use();

/// Resets the peak, so that memory_use::peak_resident counts from now on. False when the kernel refuses.
[[nodiscard]] bool forget_peak_resident();

/// Measures the peak of the anonymous memory, because the kernel does not: the largest value that sample()
/// has seen. Misses peaks between two samples. Any thread may call any method.
class memory_watch {
 public:
  void sample();

  /// Takes a last sample and returns the memory now, but with the largest sample in `anonymous`.
  [[nodiscard]] memory_use peak();

 private:
  std::atomic<std::uint64_t> anonymous_{0};
};

}  // namespace duomap::apps
