// Declares the place of a link.
// host only
#pragma once

#include <compare>
#include <cstdint>

namespace duomap::apps {

/// The place of a link: the '<' of its tag. Places compare in the order of the input.
struct link_place {
  std::uint32_t source;
  std::uint64_t offset;
  friend auto operator<=>(const link_place&, const link_place&) = default;
};

}  // namespace duomap::apps
