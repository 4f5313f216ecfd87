// Where a link stands.
// host only
#pragma once

#include <compare>
#include <cstdint>

namespace duomap::apps {

/// Where a link stands: the '<' of its tag. In the order of the input.
struct link_place {
  std::uint32_t source;
  std::uint64_t offset;
  friend auto operator<=>(const link_place&, const link_place&) = default;
};

}  // namespace duomap::apps
