// Small text files that several programs read and write at once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace duomap::scheduler {

/// The content of a regular file of at most 1 MiB; nothing when there is none or it cannot be read.
[[nodiscard]] std::optional<std::string> read_stored(const std::filesystem::path& path);

/// Writes the text beside the file and renames it, so that readers see the old text or the new one, and of
/// two writers the later one wins. Makes missing folders. False when it was not stored, whatever the reason.
bool write_stored(const std::filesystem::path& path, std::string_view text);

}  // namespace duomap::scheduler
