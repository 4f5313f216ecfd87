// Draws rows of categories from bits of a random number.
#include "bench/data/synthetic_categories.hpp"

#include <random>

namespace duomap::apps {

std::string synthetic_categories(std::uint64_t bytes, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string text;
  text.reserve(bytes + 16);
  while (text.size() < bytes) {
    std::uint64_t bits = random();
    for (std::uint64_t i = 1; i < columns_of_thirty_keys; ++i, bits >>= 8) {
      text += static_cast<char>('a' + bits % 3);
      text += ',';
    }
    text += bits % 2 == 0 ? "no\n" : "yes\n";
  }
  return text;
}

}  // namespace duomap::apps
