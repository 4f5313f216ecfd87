// Makes the files of synthetic texts and numbers that the unseen tasks read.
// host only
#pragma once

#include "bench/harness/temporary_folder.hpp"

#include <cstdint>
#include <string>

namespace duomap::apps::unseen {

enum class content {
  numbers,   ///< random 32-bit integers
  words,     ///< lines of eight words, a few of which are much more frequent than the others
  readings,  ///< lines of "sensor,temperature"
  indices,   ///< no file: the input is indices
};

/// Writes `bytes` bytes of the content, which repeats after 4 MB, and returns the path; empty for indices.
[[nodiscard]] std::string make_file(const temporary_folder& in, content of, std::uint64_t bytes);

}  // namespace duomap::apps::unseen
