// Finds the name of the processor.
#pragma once

#include <filesystem>
#include <string>

namespace duomap::cpu {

/// The model's name as the kernel tells it ("AMD EPYC 9654 96-Core Processor"); empty when it does not.
/// `root` is the folder that has proc.
[[nodiscard]] std::string processor_name(const std::filesystem::path& root = "/");

}  // namespace duomap::cpu
