// Draws random pairs on all workers, writes them into a mapped file, and adds up the expected sums.
#include "bench/data/pair_data.hpp"

#include "core/error.hpp"
#include "core/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace duomap::apps {
namespace {

std::uint64_t mixed(std::uint64_t z) {
  z *= 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Draws ranks below `distinct`; rank r has a probability in proportion to 1 / (r + 1).
class zipf_ranks {
 public:
  explicit zipf_ranks(std::uint32_t distinct) : upto_(distinct), guide_((1u << guide_bits) + 1) {
    double all = 0;
    for (std::uint32_t r = 0; r < distinct; ++r) upto_[r] = all += 1.0 / (r + 1);
    for (double& bound : upto_) bound /= all;
    upto_.back() = 2;  // a bound above every draw, however the sums were rounded
    for (std::uint32_t g = 0; g <= 1u << guide_bits; ++g) guide_[g] = first_above(0, distinct, g * 0x1p-16);
  }

  [[nodiscard]] std::uint32_t operator()(std::uint64_t random) const {
    const double u = static_cast<double>(random >> 11) * 0x1p-53;
    const auto g = static_cast<std::uint32_t>(random >> (64 - guide_bits));
    return first_above(guide_[g], guide_[g + 1] + 1, u);
  }

 private:
  static constexpr unsigned guide_bits = 16;

  [[nodiscard]] std::uint32_t first_above(std::uint32_t from, std::uint32_t to, double u) const {
    const auto end = upto_.begin() + std::min<std::ptrdiff_t>(to, std::ssize(upto_));
    const auto found = std::upper_bound(upto_.begin() + from, end, u);
    return static_cast<std::uint32_t>(std::min(found, upto_.end() - 1) - upto_.begin());
  }

  std::vector<double> upto_;
  std::vector<std::uint32_t> guide_;
};

constexpr std::uint64_t block_pairs = 1u << 18;
/// The number of frequent keys whose sums each thread adds up by itself. If threads shared these sums, all
/// would wait for the same few.
constexpr std::uint32_t frequent_ranks = 8192;

}  // namespace

pair_data::pair_data(const pair_kind& kind, std::uint64_t seed, worker_pool& pool)
  : kind_(kind), sums_(kind.distinct) {
  const std::uint64_t bytes = 8 * kind.pairs;
  const file_descriptor file(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  const bool has_room = file.get() >= 0 && ::ftruncate(file.get(), static_cast<off_t>(bytes)) == 0;
  data_ = has_room ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0) : MAP_FAILED;
  if (data_ == MAP_FAILED)
    throw output_error("cannot make the benchmark's pairs, " + std::to_string(bytes) + " bytes in " + path_ +
                       ": " + std::strerror(errno) + "; set TMPDIR to a folder with more room");
  auto* const pairs = static_cast<std::uint32_t*>(data_);
  // Only Zipf keys need all ranks here. Uniform keys make no Zipf draws, and one key has one rank.
  const zipf_ranks zipf(kind.distribution == key_distribution::zipf ? kind.distinct : 1);
  std::mutex merging;
  pool.for_each_index((kind.pairs + block_pairs - 1) / block_pairs, [&](std::uint64_t block) {
    std::vector<counted_sum> frequent(std::min(kind.distinct, frequent_ranks));
    const std::uint64_t end = std::min(kind.pairs, (block + 1) * block_pairs);
    for (std::uint64_t i = block * block_pairs; i < end; ++i) {
      // 64 clustered pairs in a row share a draw. A sorted pair's place in the file decides its rank.
      const std::uint64_t drawn =
          mixed(seed * 0x10000000000u + (kind.order == pair_order::clustered ? i / 64 : i));
      const std::uint64_t at = kind.order == pair_order::sorted
                                   ? static_cast<std::uint64_t>(static_cast<double>(i) /
                                                                static_cast<double>(kind.pairs) * 0x1p63) *
                                         2
                                   : drawn;
      const std::uint32_t rank = kind.distribution == key_distribution::uniform
                                     ? static_cast<std::uint32_t>((at >> 32) * kind.distinct >> 32)
                                     : zipf(at);
      const auto value = static_cast<std::int32_t>(mixed(drawn + i) & 0xFFFF) - 20000;
      pairs[2 * i] = key(rank);
      pairs[2 * i + 1] = static_cast<std::uint32_t>(value);
      if (rank < frequent.size()) {
        frequent[rank].total += value;
        ++frequent[rank].count;
      } else {
        std::atomic_ref(sums_[rank].total).fetch_add(value, std::memory_order_relaxed);
        std::atomic_ref(sums_[rank].count).fetch_add(1, std::memory_order_relaxed);
      }
    }
    const std::lock_guard lock(merging);
    for (std::size_t r = 0; r < frequent.size(); ++r) {
      sums_[r].total += frequent[r].total;
      sums_[r].count += frequent[r].count;
    }
  });
  keys_ = static_cast<std::uint64_t>(
      std::count_if(sums_.begin(), sums_.end(), [](const counted_sum& one) { return one.count > 0; }));
}

pair_data::~pair_data() { ::munmap(data_, 8 * kind_.pairs); }

}  // namespace duomap::apps
