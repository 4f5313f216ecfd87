// The pairs that the benchmarks of sums by key read, and the sums they must find.
// host only
#pragma once

#include "bench/harness/temporary_folder.hpp"
#include "core/byte_view.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

enum class key_distribution { uniform, zipf, one_key };
enum class pair_order {
  shuffled,
  sorted,     ///< in the order of their keys
  clustered,  ///< in runs of up to 64 equal keys
};

struct pair_kind {
  std::uint64_t pairs = 0;
  std::uint32_t distinct = 0;
  key_distribution distribution = key_distribution::uniform;
  pair_order order = pair_order::shuffled;
  bool dense = false;  ///< keys are numbers below `distinct`
};

/// Pairs of a 32-bit key and a 32-bit value in a temporary file, mapped so that a GPU reads the pairs where
/// they lie. A key's rank is its place by frequency. The key is the rank times an odd number, modulo 2^32:
/// two ranks have no key in common, and the keys' upper bits no pattern. Dense keys are scattered, too.
class pair_data {
 public:
  /// @throws output_error when the file cannot be made
  pair_data(const pair_kind& kind, std::uint64_t seed, worker_pool& pool);
  pair_data(const pair_data&) = delete;
  pair_data& operator=(const pair_data&) = delete;
  ~pair_data();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] byte_view bytes() const noexcept {
    return {static_cast<const char*>(data_), 8 * kind_.pairs};
  }

  /// The number of distinct keys that occur.
  [[nodiscard]] std::uint64_t keys() const noexcept { return keys_; }
  /// The key of a rank; rank 0 is the most frequent.
  [[nodiscard]] std::uint32_t key(std::uint32_t rank) const noexcept {
    // 2,654,435,761 is a prime, so that no two ranks share a key.
    return kind_.dense ? static_cast<std::uint32_t>(rank * std::uint64_t{2'654'435'761} % kind_.distinct)
                       : (rank + 1) * 0xCC9E2D51u;
  }
  /// The rank of a key; requires keys that are not dense.
  [[nodiscard]] static std::uint32_t rank(std::uint32_t key) noexcept { return key * 0xDEE13BB1u - 1; }
  [[nodiscard]] std::int64_t sum(std::uint32_t rank) const { return sums_[rank].total; }
  [[nodiscard]] bool occurs(std::uint32_t rank) const {
    return rank < kind_.distinct && sums_[rank].count > 0;
  }

 private:
  struct counted_sum {
    std::int64_t total = 0;
    std::int64_t count = 0;
  };

  pair_kind kind_;
  temporary_folder folder_;
  std::string path_ = folder_.path() + "/pairs";
  void* data_ = nullptr;
  std::vector<counted_sum> sums_;
  std::uint64_t keys_ = 0;
};

}  // namespace duomap::apps
