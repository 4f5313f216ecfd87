// Word count, string match and the inverted index, as Mars and Chen & Agrawal measured them.
// host only
#pragma once

#include "apps/bench/papers/experiment.hpp"

#include <cstdint>

namespace duomap::apps {

/// Counts a made-up text with so many different words. Compared: every count.
[[nodiscard]] experiment wordcount_experiment(std::uint64_t bytes, std::uint64_t distinct);

/// Looks for one word in made-up HTML. Compared: offset and line of every match.
[[nodiscard]] experiment stringmatch_experiment(std::uint64_t bytes);

/// Lists the links of made-up HTML by target. Compared: every target and offset.
[[nodiscard]] experiment invertedindex_experiment(std::uint64_t bytes);

}  // namespace duomap::apps
