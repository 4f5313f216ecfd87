// Reads a file of the kernel as a whole.
// host only
#pragma once

#include <string>
#include <string_view>

namespace duomap::cpu {

/// The text of a file of /proc or /sys; empty if the file cannot be read. The function uses no stream,
/// because the first stream of a process takes 0.2 ms (Intel Xeon), which a small run would notice.
[[nodiscard]] std::string read_small_file(const std::string& path);

/// Takes the first line off a text and returns it without its newline. Requires that there is a line.
[[nodiscard]] std::string_view take_line(std::string_view& text);

}  // namespace duomap::cpu
