// Declares a plain function for the inverted index of links: the baseline for duomap's speed and the
// reference for its index.
// host only
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap::apps {

/// The offsets of the links to each target, ascending; keys are views into the text.
using link_lists = std::unordered_map<std::string_view, std::vector<std::uint64_t>>;

/// Lists, for each TARGET, the offset of the '<' of every <a href="TARGET">, on one thread in one
/// std::unordered_map. Does not understand comments, scripts, other attributes or character references;
/// synthetic pages have none.
[[nodiscard]] link_lists list_links_in_one_loop(std::string_view html);

}  // namespace duomap::apps
