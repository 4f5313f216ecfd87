// Computes the fingerprint of the hash function for keys.
#include "core/partial/stored/partial_header.hpp"

#include "core/compact_key.hpp"
#include "core/hash.hpp"

#include <string>
#include <string_view>

namespace duomap {

std::uint64_t hash_fingerprint() {
  using namespace std::string_view_literals;
  return compact_key::of_short("duomap"sv).hash() ^ hash_long("a key of more than sixteen bytes"sv) ^
         hash_long(std::string(striped_bytes, 'x'));
}

}  // namespace duomap
