// Makes HTML pages for benchmarks.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::apps {

/// At least `bytes` bytes of lines, each a paragraph with about 24 words and three links. Words are drawn
/// uniformly from 4096, links from `targets`. The pages have no comments, scripts or character references.
/// The same seed gives the same pages.
[[nodiscard]] std::string synthetic_pages(std::uint64_t bytes, std::uint64_t targets, std::uint64_t seed);

/// A word that synthetic_pages() writes, and that is no part of another word.
[[nodiscard]] std::string_view word_of_synthetic_pages() noexcept;

}  // namespace duomap::apps
