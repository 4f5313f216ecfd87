// Reads a file of the kernel as a whole.
// host only
#pragma once

#include <string>
#include <string_view>

namespace duomap::cpu {

/// The text of a file of /proc or /sys; empty when it cannot be read. It uses no stream, whose first use
/// takes a process 0.2 ms (Intel Xeon), which a small run would notice.
[[nodiscard]] std::string read_small_file(const std::string& path);

/// Takes the first line off a text, without its end; requires that there is one.
[[nodiscard]] std::string_view take_line(std::string_view& text);

}  // namespace duomap::cpu
