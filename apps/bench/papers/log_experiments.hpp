// Page view count and page view rank, as Mars and Chen & Agrawal measured them.
// host only
#pragma once

#include "apps/bench/papers/experiment.hpp"

#include <cstdint>
#include <string_view>

namespace duomap::apps {

/// How many different clients asked for each page, by two passes; `visits` different pairs of page and client
/// in a made-up log. Compared: every count.
[[nodiscard]] experiment pageviewcount_experiment(std::uint64_t bytes, std::uint64_t visits,
                                                  other_engines engines);

/// The ten pages with the most views, counts included. Compared: the ten, in their order.
[[nodiscard]] experiment pageviewrank_experiment(std::uint64_t bytes, std::uint64_t visits);

/// What a reader should know of both when few visits make up a log.
inline constexpr std::string_view note_on_logs =
    "Page views: with few different visits the time is that of taking lines apart. The sequential program "
    "and plain oneTBB look for a client and a page and take every line for an entry; duomap checks "
    "whole lines against two formats, counts those that are in none, and joins page and client to one key, "
    "which costs it about twice as much a line";

}  // namespace duomap::apps
