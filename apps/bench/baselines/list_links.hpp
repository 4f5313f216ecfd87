// A plain program for the inverted index of links: what duomap is measured against, and what its index is
// compared with. host only
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duomap::apps {

/// Where each target is linked to, ascending; keys are views into the text.
using link_lists = std::unordered_map<std::string_view, std::vector<std::uint64_t>>;

/// Offsets of the '<' of every <a href="TARGET"> by target: one thread, one std::unordered_map. Knows no
/// comments, scripts, other attributes and character references; synthetic pages have none.
[[nodiscard]] link_lists list_links_in_one_loop(std::string_view html);

}  // namespace duomap::apps
