// Reads and compares the bytes of keys. host safe
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "core/text/load.hpp"

#include <cstdint>
#include <type_traits>

namespace duomap::gpu {

// These types say where a key's bytes are and which threads work on them. `in_chunk`: readable bytes surround
// the key, and no thread writes to them during the kernel, so eight bytes cost at most two aligned loads.
// `anywhere`: a local buffer of map, read byte by byte; for keys of fixed size it should stay in registers.
// workers() is the number of threads that work on the key, worker() the number of the calling one, and
// lead(f) the first thread's result of f().

/// One thread works on the key.
struct alone {
  [[nodiscard]] DUOMAP_HD static constexpr unsigned workers() { return 1; }
  [[nodiscard]] DUOMAP_HD static constexpr unsigned worker() { return 0; }
  static constexpr unsigned at_once = 1;  ///< words that a thread loads before it uses one
  [[nodiscard]] DUOMAP_HD static constexpr bool all(bool true_here) { return true_here; }
  template <class F>
  [[nodiscard]] DUOMAP_HD static auto lead(const F& f) {
    return f();
  }
};
struct in_chunk : alone {};
struct anywhere : alone {};

/// Loads the eight bytes at `from`. The load may read the whole aligned words that contain these bytes.
[[nodiscard]] DUOMAP_HD inline std::uint64_t load_eight(const char* from, in_chunk) {
#if defined(__CUDA_ARCH__)
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const auto* words = reinterpret_cast<const unsigned long long*>(address & ~std::uintptr_t{7});
  const unsigned shift = static_cast<unsigned>(address & 7) * 8;
  const std::uint64_t low = __ldg(words);
  return shift == 0 ? low : low >> shift | static_cast<std::uint64_t>(__ldg(words + 1)) << (64 - shift);
#else
  return duomap::detail::load_word(from);
#endif
}
[[nodiscard]] DUOMAP_HD inline std::uint64_t load_eight(const char* from, anywhere) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i)
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
  return word;
}

/// Loads the first `bytes` < 8 bytes at `from`, with zeros above them.
[[nodiscard]] DUOMAP_HD inline std::uint64_t load_some(const char* from, unsigned bytes, in_chunk where) {
  return bytes == 0 ? 0 : keep_bytes(load_eight(from, where), bytes);
}
[[nodiscard]] DUOMAP_HD inline std::uint64_t load_some(const char* from, unsigned bytes, anywhere) {
  std::uint64_t word = 0;
  for (unsigned i = 0; i < bytes; ++i)
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
  return word;
}

/// Calls use(i, word) for each word of a key that the calling thread works on; i is the word's number. The
/// last word may have fewer than eight bytes of the key, with zeros above them.
template <class Where, class Use>
DUOMAP_HD void for_each_word(byte_view key, Where where, const Use& use) {
  const std::uint64_t step = where.workers();
  std::uint64_t i = where.worker();
  if constexpr (Where::at_once > 1) {
    for (; 8 * (i + (Where::at_once - 1) * step + 1) <= key.size; i += Where::at_once * step) {
      std::uint64_t words[Where::at_once];
      for (unsigned n = 0; n < Where::at_once; ++n)
        words[n] = load_eight(key.data + 8 * (i + n * step), where);
      for (unsigned n = 0; n < Where::at_once; ++n) use(i + n * step, words[n]);
    }
  }
  for (; 8 * (i + 1) <= key.size; i += step) use(i, load_eight(key.data + 8 * i, where));
  if (8 * i < key.size) use(i, load_some(key.data + 8 * i, static_cast<unsigned>(key.size - 8 * i), where));
}

/// The hash of core/hash.hpp and core/compact_key.hpp for a key of at least 8 bytes. A key in the chunk must
/// have less than striped_bytes bytes; gpu/record/by_warp.cuh hashes longer keys.
template <class Where>
[[nodiscard]] DUOMAP_HD std::uint64_t hash_of_long(byte_view key, Where where) {
  if (key.size <= compact_key::max_inline) {
    const std::uint64_t high = load_some(key.data + 8, static_cast<unsigned>(key.size - 8), where);
    return hash_block(load_eight(key.data, where), high | compact_key::length_tag(key.size));
  }
  const auto load = [where](const char* from) {
    return load_eight(from, where);
  };
  if constexpr (std::is_same_v<Where, in_chunk>) return hash_in_one_chain(key, load);
  return hash_long(key, load);
}

/// Whether two keys of `size` bytes, both inside the chunk, are the same.
[[nodiscard]] DUOMAP_HD inline bool same_bytes(const char* a, const char* b, std::uint64_t size) {
  std::uint64_t i = 0;
  for (; i + 8 <= size; i += 8) {
    if (load_eight(a + i, in_chunk{}) != load_eight(b + i, in_chunk{})) return false;
  }
  const auto rest = static_cast<unsigned>(size - i);
  return rest == 0 || load_some(a + i, rest, in_chunk{}) == load_some(b + i, rest, in_chunk{});
}

// A key of up to seven bytes is one 64-bit word: its bytes, and above them its length plus one. The word's
// top bit is 0, and the word is never 0. The word equals the low word of the compact_key combined with the
// high word by "or".

inline constexpr std::uint64_t max_word_bytes = 7;
inline constexpr std::uint64_t long_flag = std::uint64_t{1} << 63;

[[nodiscard]] DUOMAP_HD constexpr std::uint64_t short_word(std::uint64_t bytes, std::uint64_t size) {
  return bytes | (size + 1) << 56;
}
[[nodiscard]] DUOMAP_HD constexpr compact_key key_of_short_word(std::uint64_t word) {
  constexpr std::uint64_t tag = std::uint64_t{0xFF} << 56;
  return {word & ~tag, word & tag};
}
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t hash_of_short_word(std::uint64_t word) {
  return key_of_short_word(word).hash();
}

}  // namespace duomap::gpu
