// Writes a text in the compressed forms that users have.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// The forms in which a text is stored.
enum class stored_as { plain, gzip, bgzip, zstd, zstd_frames };

inline constexpr std::uint64_t text_of_frame = std::uint64_t{8} << 20;

/// A file that holds a text in one form; `path` is empty if this build lacks the library that writes the
/// form.
struct compressed_file {
  stored_as form = stored_as::plain;
  std::string name;  ///< the name in tables, such as "one .gz"
  std::string path;
};

/// Writes a text into a folder in all forms, with the default settings of each form's program: gzip and bgzip
/// at level 6, zstd at level 3. Frames have 8 MiB, as pzstd makes them on two cores. With `times` > 1 every
/// file holds the text `times` times. The forms "one .gz" and ".zst, one frame" cannot repeat a text and are
/// then left out.
[[nodiscard]] std::vector<compressed_file> write_compressed(std::string_view text, const std::string& folder,
                                                            std::uint64_t times = 1);

}  // namespace duomap::apps
