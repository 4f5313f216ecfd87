// What the unseen tasks read: files of synthetic texts and numbers.
// host only
#pragma once

#include "apps/bench/harness/temporary_folder.hpp"

#include <cstdint>
#include <string>

namespace duomap::apps::unseen {

enum class content {
  numbers,   ///< random 32-bit integers
  words,     ///< lines of eight words, a few of them much more frequent than others
  readings,  ///< lines of "sensor,temperature"
  indices,   ///< no file: an index for each 64 bytes
};

/// A file with 4 MB of the content, as often as it takes to fill `bytes`. Empty for indices.
[[nodiscard]] std::string make_file(const temporary_folder& in, content of, std::uint64_t bytes);

}  // namespace duomap::apps::unseen
