// Finds the strips in a warp's tile, which is one group, and the number of newlines before each strip.
#pragma once

#include "core/chunk.hpp"
#include "core/record/formats.hpp"
#include "gpu/record/warp_tile.cuh"
#include "gpu/runtime/warp.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// The warp_tile of strips. Only the counts are in shared memory: lanes read neighbouring strips of the text
/// directly from device memory.
template <std::same_as<strips> Format>
class warp_tile<Format> {
 public:
  static constexpr bool most_are_short = false;

  struct alignas(16) storage {
    std::uint16_t newlines_before[Format::group_strips];
  };

  [[nodiscard]] DUOMAP_HD static std::uint64_t tiles(const chunk& part, const Format&) {
    return (part.size + Format::group_bytes - 1) / Format::group_bytes;
  }

  __device__ warp_tile(storage& memory, const chunk& part, const Format&) : memory_(memory), part_(part) {}
  /// For a tile whose strips another warp has found.
  __device__ warp_tile(storage& memory, const chunk& part, const Format&, std::uint64_t tile,
                       std::uint64_t /*end*/)
    : memory_(memory), part_(part), begin_(tile * Format::group_bytes) {}

  __device__ void find(std::uint64_t tile) {
    begin_ = tile * Format::group_bytes;
    __syncwarp();  // all lanes have read the previous tile
    std::uint32_t before = 0;
    for (std::uint32_t i = lane_index(); i < Format::group_strips; i += 32) {
      const std::uint64_t at = begin_ + i * Format::width;
      const std::uint32_t mine = at < part_.size ? newlines_at(part_.data + at) : 0;
      const std::uint32_t up_to_mine = inclusive_sum(mine);
      memory_.newlines_before[i] = static_cast<std::uint16_t>(before + up_to_mine - mine);
      before += __shfl_sync(all_lanes, up_to_mine, 31);
    }
    __syncwarp();
  }

  [[nodiscard]] __device__ std::uint32_t count() const {
    const std::uint64_t all = (part_.size - begin_ + Format::width - 1) / Format::width;
    return static_cast<std::uint32_t>(min(all, std::uint64_t{Format::group_strips}));
  }
  [[nodiscard]] __device__ std::uint64_t end_of_last() const { return 0; }
  [[nodiscard]] __device__ std::uint64_t bytes_at_most() const {
    return min(part_.size - begin_, Format::group_bytes);
  }

  [[nodiscard]] __device__ std::uint32_t start(std::uint32_t i) const { return i; }
  [[nodiscard]] __device__ typename Format::record record(std::uint32_t start, record_bytes& bytes) const {
    const auto found =
        Format::strip_at(part_, begin_ + start * Format::width, memory_.newlines_before[start]);
    bytes = {};
    bytes.bytes = {found.data, found.positions};
    return found;
  }

 private:
  static_assert(Format::group_strips % 32 == 0 && Format::group_bytes <= 0xFFFF);
  static_assert(Format::width == 2 * sizeof(uint4));

  /// Zeros follow the chunk, so all bytes of the last strip are readable.
  [[nodiscard]] __device__ static std::uint32_t newlines_at(const char* strip) {
    const auto* const quads = reinterpret_cast<const uint4*>(strip);
    return newlines_in(__ldg(quads)) + newlines_in(__ldg(quads + 1));
  }
  [[nodiscard]] __device__ static std::uint32_t newlines_in(const uint4& bytes) {
    return newlines_in(bytes.x) + newlines_in(bytes.y) + newlines_in(bytes.z) + newlines_in(bytes.w);
  }
  [[nodiscard]] __device__ static std::uint32_t newlines_in(std::uint32_t bytes) {
    return static_cast<std::uint32_t>(__popc(static_cast<int>(__vcmpeq4(bytes, 0x0A0A0A0Au)))) / 8;
  }

  storage& memory_;
  const chunk& part_;
  std::uint64_t begin_ = 0;
};

}  // namespace duomap::gpu
