// Finds the name of the processor.
#pragma once

#include <filesystem>
#include <string>

namespace duomap::cpu {

/// The model's name from the kernel ("AMD EPYC 9654 96-Core Processor"), or an empty text. `root` is the
/// folder that has proc.
[[nodiscard]] std::string processor_name(const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
