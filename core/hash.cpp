// Computes all stripes of a long key's hash side by side.
#include "core/hash.hpp"

namespace duomap {

std::uint64_t hash_of_stripes_on_host(byte_view key) {
  std::uint64_t all[hash_stripes];
  hash_stripes_from(0, key, detail::load_word, all);
  return hash_of_stripes(
      key, [&](unsigned stripe) { return all[stripe]; }, detail::load_word);
}

}  // namespace duomap
