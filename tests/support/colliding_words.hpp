// Makes words that collide in duomap's hash, as an attacker can.
#pragma once

#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/hash.hpp"
#include "core/record/words.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::test {

/// `count` different words of 15 bytes whose hashes have the same first `equal_bits` bits.
inline std::vector<std::string> colliding_words(std::uint64_t count, unsigned equal_bits) {
  // Inverts a multiplication by Newton's iteration. A shift by 29 bits is inverted by repeating it.
  constexpr auto inverse = [](std::uint64_t factor) {
    std::uint64_t x = factor;
    for (int i = 0; i < 6; ++i) x *= 2 - factor * x;
    return x;
  };
  std::vector<std::string> words;
  for (std::uint64_t i = 0; words.size() < count; ++i) {
    const std::uint64_t wanted = equal_bits == 64 ? 1 : i * 0x9E3779B97F4A7C15u >> equal_bits;
    std::uint64_t h = wanted * inverse(detail::hash_k2);
    h ^= h >> 29 ^ h >> 58;
    const std::uint64_t hi = compact_key::length_tag(15) | (0x61616161616161 + i);
    const std::uint64_t upper = hi * detail::hash_k1;
    std::uint64_t lo = h * inverse(detail::hash_k0) ^ (upper << 32 | upper >> 32);
    lo ^= lo >> 32;
    const compact_key key(lo, hi);
    const std::string_view word = key.bytes().text();
    if (!std::ranges::all_of(word, words::is_word_byte)) continue;
    if (!torture_hash && key.hash() != wanted) throw std::logic_error("the hash is another");
    words.emplace_back(word);
  }
  return words;
}

}  // namespace duomap::test
