// A hash for standard containers whose texts come from strangers. Each process draws its own secret for the
// hash, so nobody can choose texts that collide. Keys of tasks have another hash (core/hash.hpp), which is
// the same on all machines and devices. host only
#pragma once

#include "core/byte_view.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace duomap {

struct hash_secret {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// SipHash-1-3 (Aumasson and Bernstein, 2012).
[[nodiscard]] std::uint64_t sip_hash(byte_view bytes, const hash_secret& secret) noexcept;

/// The secret of this process.
[[nodiscard]] const hash_secret& process_hash_secret();

/// A container of std::string with this hash and std::equal_to<> can also be searched by std::string_view.
struct keyed_hash {
  using is_transparent = void;

  // Not noexcept on purpose: then libstdc++ stores the hash beside each key.
  [[nodiscard]] std::size_t operator()(std::string_view text) const {
    return sip_hash({text.data(), text.size()}, secret);
  }
  /// Equal numbers have equal bytes, as long as none is -0.
  [[nodiscard]] std::size_t operator()(double number) const {
    return sip_hash({reinterpret_cast<const char*>(&number), sizeof number}, secret);
  }

  hash_secret secret = process_hash_secret();
};

}  // namespace duomap
