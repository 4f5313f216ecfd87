// Tests gpu/engines/sort/emit_space.hpp, key_compare.hpp and run_part.hpp: what the sort engine decides on
// the host, without a GPU.
#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "core/partial/merge_keyed.hpp"
#include "core/worker_pool.hpp"
#include "gpu/engines/sort/emit_space.hpp"
#include "gpu/engines/sort/key_compare.hpp"
#include "gpu/engines/sort/run_part.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace duomap::gpu::gpu_engines_sort_host_decisions_test {
namespace {

/// Stores keys like a device: short keys inline, long keys in whole words behind their length.
class key_store {
 public:
  [[nodiscard]] compact_key add(const std::string& key) {
    if (key.size() <= compact_key::max_inline) return compact_key::of_short(key);
    auto& words = stored_.emplace_back(stored_bytes_of(key.size()) / 8, 0);
    words[0] = key.size();
    std::memcpy(words.data() + 1, key.data(), key.size());
    return compact_key::of_stored(hash_long(key), reinterpret_cast<const char*>(words.data() + 1));
  }

 private:
  std::vector<std::vector<std::uint64_t>> stored_;
};

}  // namespace

TEST_CASE("pieces of a chunk are as large as memory allows", "[gpu]") {
  const piece_limit limit{.memory = 1000, .bytes_per_emit = 10, .stored_copies = 2};
  // Tiles with 30 emits and no bytes, with 50 emits and 200 bytes, one that is too large, and one empty.
  const emit_space before[] = {{0, 0}, {30, 0}, {60, 0}, {110, 200}, {211, 200}, {211, 200}};
  constexpr std::uint64_t tiles = 5;
  CHECK(piece_end(before, 0, tiles, limit) == 2);
  CHECK(piece_end(before, 1, tiles, limit) == 2);
  CHECK(piece_end(before, 2, tiles, limit) == 3);
  CHECK(piece_end(before, 3, tiles, limit) == 3);
  CHECK(piece_end(before, 4, tiles, limit) == 5);
  const piece_limit none{.memory = ~std::uint64_t{0}, .bytes_per_emit = 1, .stored_copies = 1};
  CHECK(piece_end(before, 0, tiles, none) == tiles);
  const emit_space huge[] = {{0, 0}, {piece_limit::most_emits, 0}, {piece_limit::most_emits + 1, 0}};
  CHECK(piece_end(huge, 0, 2, none) == 1);
}

TEST_CASE("keys compare equal exactly when their bytes are", "[gpu]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  std::vector<std::string> texts = {"", std::string(1, '\0'), std::string(15, 'a'), std::string(16, 'a')};
  for (unsigned i = 0; i < 300; ++i) {
    std::string text(random() % 40, 'x');
    if (!text.empty()) text[random() % text.size()] = static_cast<char>(random() % 3);
    texts.push_back(text);
  }
  key_store first;
  key_store second;
  std::vector<compact_key> keys;
  std::vector<compact_key> again;
  for (const std::string& text : texts) {
    keys.push_back(first.add(text));
    again.push_back(second.add(text));
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      CAPTURE(texts[i], texts[j]);
      CHECK((compare_keys(keys[i], again[j]) == 0) == (texts[i] == texts[j]));
      CHECK(compare_keys(keys[i], again[j]) == -compare_keys(again[j], keys[i]));
    }
  }
  // compare_keys() gives a strict order: after sorting, equal keys are neighbours.
  std::sort(keys.begin(), keys.end(),
            [](const compact_key& a, const compact_key& b) { return compare_keys(a, b) < 0; });
  std::vector<std::string> seen;
  for (const compact_key& key : keys) {
    const std::string text(key.bytes().text());
    if (seen.empty() || seen.back() != text) seen.push_back(text);
  }
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  CHECK(seen.size() == texts.size());
}

TEST_CASE("runs of reduced keys become a keyed partial, ordered by partition or not", "[gpu]") {
  std::map<std::string, std::uint64_t> expected;
  collected_partial<std::uint64_t> runs;
  key_store store;
  for (std::uint64_t run = 0; run < 3; ++run) {
    auto& entries = runs.runs.emplace_back(emit_run<std::uint64_t>{0, run, {}}).entries;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const std::string key = (i % 3 == 0 ? "a key of many bytes " : "k") + std::to_string(i * (run + 1));
      entries.push_back({store.add(key), i});
      expected[key] += i;
    }
    if (run == 1) {
      std::sort(entries.begin(), entries.end(),
                [](const auto& a, const auto& b) { return a.key.hash() < b.key.hash(); });
    }
  }
  sequential caller;
  const auto partial =
      merge_partials(std::vector{run_part<test::word_counts>({}, std::move(runs)).release_partial(caller)},
                     test::word_counts{}, caller);
  std::map<std::string, std::uint64_t> found;
  for (unsigned p = 0; p < partition_count; ++p) {
    for (const auto& entry : partial.partitions[p]) {
      CHECK(partition_of(entry.key.hash()) == p);
      CHECK(found.emplace(std::string(entry.key.bytes().text()), entry.value).second);
    }
  }
  CHECK(found == expected);
}

TEST_CASE("runs of dense keys become a dense partial", "[gpu]") {
  collected_partial<std::uint64_t> runs;
  for (const std::uint64_t value : {5u, 7u}) {
    const std::uint64_t key = 3;
    runs.runs.push_back({0, value, {{compact_key::of_short(key_bytes(key)), value}}});
  }
  sequential caller;
  const auto partial = run_part<test::byte_histogram>({}, std::move(runs)).release_partial(caller);
  CHECK(partial.size() == 256);
  CHECK(partial[3] == 12);
  CHECK(partial.present(3));
  CHECK(!partial.present(4));
}

}  // namespace duomap::gpu::gpu_engines_sort_host_decisions_test
