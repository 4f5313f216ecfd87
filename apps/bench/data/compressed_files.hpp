// A text compressed in the ways in which people have it.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::apps {

/// How a text is stored.
enum class stored_as { plain, gzip, bgzip, zstd, zstd_frames };

inline constexpr std::uint64_t text_of_frame = std::uint64_t{8} << 20;

/// Where one form of a text stands; `path` is empty where this build lacks the library that makes it.
struct compressed_file {
  stored_as form = stored_as::plain;
  std::string name;  ///< "one .gz", as a table calls it
  std::string path;
};

/// Writes all forms of a text into a folder. gzip and bgzip at level 6, zstd at level 3, frames of 8 MiB:
/// what their programs do by default, pzstd's frames for a text of this size on two cores. With `times` > 1
/// bgzip and frames of zstd, whose members may stand one after another, hold the text so many times, and what
/// may not is left out.
[[nodiscard]] std::vector<compressed_file> write_compressed(std::string_view text, const std::string& folder,
                                                            std::uint64_t times = 1);

}  // namespace duomap::apps
