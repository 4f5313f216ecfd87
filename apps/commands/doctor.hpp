// Does `duomap doctor`, which lists the hardware of this machine, the part that duomap uses, and the reasons
// why it uses no more.
// host only
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace duomap::apps {

/// Writes the report, at most 100 columns wide, with advice for each problem. Returns the program's exit
/// status: 0, or 1 when a problem would stop every run. Takes as long as loading the GPU driver.
int doctor(std::ostream& out);

/// One entry of the report: the label in the left column, the text beside it. Breaks lines at 100 columns,
/// but never within a word.
[[nodiscard]] std::string report_entry(std::string_view label, std::string_view text);

/// Advice for a machine on which CUDA took unusually long to find the GPUs; empty if `seconds` is usual.
[[nodiscard]] std::string slow_discovery_text(double seconds);

/// Bytes in binary units, as memory chips and caches have them: "48 KiB", "1.5 MiB", "139.8 GiB".
[[nodiscard]] std::string memory_text(std::uint64_t bytes);

}  // namespace duomap::apps
