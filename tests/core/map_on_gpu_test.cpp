// Tests core/hash.hpp, core/compact_key.hpp and core/record/words.hpp on a GPU: code of two compilers gives
// the same emits.
#if DUOMAP_HAS_CUDA

#include "tests/core/map_on_gpu.hpp"

#include "core/boundary.hpp"
#include "core/input/input.hpp"
#include "core/input/slice.hpp"
#include "gpu/device/device.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <random>

namespace duomap::core_map_on_gpu_test {
namespace {

std::string random_text(std::uint64_t bytes, std::mt19937_64& random) {
  const std::string alphabet = "abcdeXYZ019' \n.,\xC3\xA9-";
  std::string text;
  while (text.size() < bytes) {
    // Mostly short words; one in 50 has up to 200 bytes.
    const std::uint64_t length = random() % 50 == 0 ? random() % 200 : random() % 9;
    for (std::uint64_t i = 0; i < length; ++i) text += alphabet[random() % 12];
    text += alphabet[random() % alphabet.size()];
  }
  return text;
}

TEST_CASE("a device maps chunks to the same emits as the host", "[gpu]") {
  if (gpu::discover().devices.empty()) {
    WARN("skipped, there is no GPU: " << gpu::discover().reason);
    return;
  }
  const auto seed = Catch::rngSeed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const apps::wordcount task;
  const format_boundary<words> records{words{}};
  for (const std::uint64_t bytes : {1u, 31u, 64u, 1000u, 100'000u, 3'000'000u}) {
    const std::string text = random_text(bytes, random);
    const input whole = text_input(text);
    std::vector<chunk> chunks;
    const std::uint64_t step = std::max<std::uint64_t>(1, bytes / 997);
    for (std::uint64_t from = 0; from < text.size(); from += step) {
      const std::uint64_t to = std::min<std::uint64_t>(from + step, text.size());
      if (const auto part = slice(whole[0], 0, from, to, records)) chunks.push_back(*part);
    }
    const auto sums = tests::checksums_on_device(task, text, chunks);
    tests::emit_checksum all;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      CAPTURE(bytes, i, chunks[i].offset, chunks[i].size);
      REQUIRE(sums[i] == tests::checksum_on_host(task, chunks[i]));
      all.emits += sums[i].emits;
    }
    REQUIRE(all.emits == tests::checksum_on_host(task, {whole[0].bytes().data, text.size(), 0, 0}).emits);
  }
}

}  // namespace
}  // namespace duomap::core_map_on_gpu_test

#endif  // DUOMAP_HAS_CUDA
