#include "apps/algorithms/numeric/shown_text.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap {

std::string shown(byte_view text) {
  constexpr std::uint64_t most = 40;
  std::string plain = "'";
  for (std::uint64_t i = 0; i < std::min(text.size, most); ++i) {
    plain += text[i] >= ' ' && text[i] <= '~' ? text[i] : '.';
  }
  return plain + (text.size > most ? "...'" : "'");
}

}  // namespace duomap
