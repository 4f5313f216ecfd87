// `duomap run HEADER`: a task of the user's own runs as an application does.
// host only
#pragma once

#include "core/run_control.hpp"

#include <string>

namespace duomap::apps {

/// Whether what follows `duomap run` is the path of a header: names of applications have no dots and no
/// slashes.
[[nodiscard]] bool is_header(const std::string& word);

/// Becomes the program of the header argv[2], with the arguments behind it; argv[1] is run, map or merge. The
/// program is compiled when the header, or something that it includes, is new or has changed since.
/// @throws input_error when there is no such header, or it does not compile; usage_error; error
[[noreturn]] void become_task(int argc, const char* const* argv, const run_control& control);

/// `duomap cache`: the compiled tasks, or, with `clear`, none any more.
[[nodiscard]] std::string cache_report(bool clear);

}  // namespace duomap::apps
