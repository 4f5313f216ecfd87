// `duomap doctor`: what this machine offers, what duomap uses of it, and why not more.
// host only
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>

namespace duomap::apps {

/// Writes the report, at most 100 columns wide; each problem says what to do. Returns the program's exit
/// status: 0, or 1 when something it found would stop every run. Takes the time that loading the GPU driver
/// takes.
int doctor(std::ostream& out);

/// One entry of the report: the label in a column of its own, the text beside it, broken between words so
/// that no line is longer than 100 columns (a longer word is not broken).
[[nodiscard]] std::string report_entry(std::string_view label, std::string_view text);

/// What to do when CUDA took so long to find the GPUs; empty when that is as usual.
[[nodiscard]] std::string slow_discovery_text(double seconds);

/// Binary units, as memory chips and caches have them: "48 KiB", "1.5 MiB", "139.8 GiB".
[[nodiscard]] std::string memory_text(std::uint64_t bytes);

}  // namespace duomap::apps
