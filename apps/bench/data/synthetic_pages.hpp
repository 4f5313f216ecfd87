// HTML for benchmarks.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::apps {

/// Lines of a paragraph each with about 24 words and three links, at least `bytes` bytes. Words are drawn
/// from 4096 and links from `targets` different ones, uniformly. No comments, scripts or character
/// references. Same seed, same pages.
[[nodiscard]] std::string synthetic_pages(std::uint64_t bytes, std::uint64_t targets, std::uint64_t seed);

/// One of the words that occur there, and no part of others.
[[nodiscard]] std::string_view word_of_synthetic_pages() noexcept;

}  // namespace duomap::apps
