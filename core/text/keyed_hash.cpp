// Computes SipHash-1-3, and draws the secret of the process at random.
#include "core/text/keyed_hash.hpp"

#include <bit>
#include <cstring>
#include <random>

namespace duomap {
namespace {

struct sip_state {
  std::uint64_t a;
  std::uint64_t b;
  std::uint64_t c;
  std::uint64_t d;

  void round() noexcept {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }

  void add(std::uint64_t word) noexcept {
    d ^= word;
    round();
    a ^= word;
  }
};

hash_secret drawn_secret() {
  std::random_device random;
  const auto word = [&random] {
    return std::uint64_t{random()} << 32 | random();
  };
  return {word(), word()};
}

}  // namespace

std::uint64_t sip_hash(byte_view bytes, const hash_secret& secret) noexcept {
  sip_state state{secret.first ^ 0x736f6d6570736575, secret.second ^ 0x646f72616e646f6d,
                  secret.first ^ 0x6c7967656e657261, secret.second ^ 0x7465646279746573};
  std::uint64_t at = 0;
  std::uint64_t word = 0;
  for (; at + sizeof word <= bytes.size; at += sizeof word) {
    std::memcpy(&word, bytes.data + at, sizeof word);
    state.add(word);
  }
  word = 0;
  if (at < bytes.size) std::memcpy(&word, bytes.data + at, bytes.size - at);
  state.add(word | bytes.size << 56);
  state.c ^= 0xff;
  for (int i = 0; i < 3; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

const hash_secret& process_hash_secret() {
  static const hash_secret one = drawn_secret();
  return one;
}

}  // namespace duomap
