// Opens and uses a folder that only its user can read or write, by its descriptor.
// host only
#pragma once

#include "core/file_descriptor.hpp"

#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// Opens the folder without following a link at the end of `path`, and checks the owner and the mode of the
/// open folder. After that nobody can put another folder in its place. Returns "none" when there is no such
/// folder.
/// @throws usage_error, which says what to do, when the folder belongs to another user or is open to others;
/// output_error
[[nodiscard]] file_descriptor open_private_folder(const std::string& path);

/// Opens the folder like open_private_folder(). Makes it and the folders above it where they are missing.
/// @throws output_error when it cannot be made; errors of open_private_folder()
[[nodiscard]] file_descriptor make_private_folder(const std::string& path);

/// Opens the folder `name` in an open folder, without following a link. Returns "none" and leaves errno when
/// it cannot.
[[nodiscard]] file_descriptor open_folder_at(int folder, const std::string& name);

/// Opens a regular file of this user for reading; "none" when there is no such file.
[[nodiscard]] file_descriptor open_own_file_at(int folder, const std::string& name);

/// The bytes of a file that open_own_file_at() opens; nothing when there is no such file, or it cannot be
/// read.
[[nodiscard]] std::optional<std::string> own_text_at(int folder, const std::string& name);

/// All bytes of an open file; nothing and errno when they cannot be read.
[[nodiscard]] std::optional<std::string> whole_text(const file_descriptor& file);

/// Writes a new file of the folder, and waits until it is on the disk.
/// @throws output_error
void write_text_at(int folder, const std::string& name, const std::string& text);

/// The names in a folder, sorted, without "." and "..".
[[nodiscard]] std::vector<std::string> names_in(int folder);

/// Removes a file, or a folder with everything in it. Passes over anything that is missing or cannot be
/// removed.
void remove_at(int folder, const std::string& name);

}  // namespace duomap::apps
