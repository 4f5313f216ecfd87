// A block's share of a chunk at a time: a tile, and the records that start in it.
#pragma once

#include "core/chunk.hpp"
#include "core/record/index_range.hpp"
#include "core/record/rows.hpp"
#include "gpu/object/key_bytes.hpp"
#include "gpu/object/tuning.hpp"
#include "gpu/record/text_rule.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// The bytes of a record in its chunk, and the first of them (with what follows the record) where they are at
/// hand: emitting the record as a key is cheap then.
struct record_bytes {
  byte_view bytes;
  std::uint64_t head = 0;  ///< the first eight
  std::uint64_t next = 0;  ///< the eight after them
  bool has_head = false;
  bool has_next = false;
};

/// What a block does with each tile, by all its threads: load(), a barrier, find(), a barrier, then any
/// thread record(i).
///   tiles(chunk, format)      tiles of a chunk
///   storage                   what it needs of the block's shared memory
///   load(tile)                reads the tile into registers
///   find()                    lists the records that start in the tile; contains barriers
///   count()                   how many; after find()
///   record(i, bytes)          the i-th record, and its bytes
///   bytes_at_most()           of all records together
///   defers, defer(i), deferred_count(), deferred_record(i, bytes)
///                             whether records of more than seven bytes should wait until all others are done
///                             (a barrier comes between): they take longer, and one of them makes its whole
///                             warp wait
template <class Format>
class record_tile;

/// Text: one mask of 32 bytes a thread, starts compacted into a list, so that lanes take records and not
/// bytes. A record belongs to the tile it starts in and is read on behind it, through `lookahead` bytes that
/// are loaded with the tile or, if it is longer, in the chunk.
template <class Format>
  requires requires { text_rule<Format>::most_starts; }
class record_tile<Format> {
  using rule = text_rule<Format>;
  static constexpr unsigned warps = block_threads / 32;
  static constexpr unsigned lookahead = 64;
  static constexpr unsigned masks = block_threads + lookahead / 32;

 public:
  /// Readable bytes that a chunk in device memory must have behind its end, all set to `padding`.
  static constexpr std::uint64_t padding_bytes = tile_bytes + 2 * lookahead;
  static constexpr unsigned char padding = rule::padding;
  static constexpr bool defers = rule::most_are_short;

  struct storage {
    uint4 bytes[(tile_bytes + lookahead) / sizeof(uint4)];
    std::uint32_t inside[masks];
    std::uint32_t warp_starts[warps];
    unsigned long long run_end;  // of the run that leaves the lookahead, in the chunk
    unsigned deferred_count;
    std::uint16_t starts[rule::most_starts];
    std::uint16_t deferred[defers ? tile_bytes / (max_word_bytes + 2) + 1 : 1];
  };

  [[nodiscard]] DUOMAP_HD static std::uint64_t tiles(const chunk& part, const Format&) {
    return (part.size + tile_bytes - 1) / tile_bytes;
  }

  __device__ record_tile(storage& memory, const chunk& part, const Format& format)
    : memory_(memory), part_(part), format_(format) {}

  __device__ void load(std::uint64_t tile) {
    begin_ = tile * tile_bytes;
    const auto* from = reinterpret_cast<const uint4*>(part_.data + begin_) + threadIdx.x * 2;
    first_ = __ldg(from);
    second_ = __ldg(from + 1);
  }

  __device__ void find() {
    const unsigned thread = threadIdx.x;
    if (thread == 0) memory_.deferred_count = 0;
    memory_.bytes[thread * 2] = first_;
    memory_.bytes[thread * 2 + 1] = second_;
    const std::uint32_t mask = inside_of(first_, second_);
    memory_.inside[thread] = mask;
    if (thread < lookahead / 32) {
      const auto* from = reinterpret_cast<const uint4*>(part_.data + begin_ + tile_bytes) + thread * 2;
      const uint4 a = __ldg(from);
      const uint4 b = __ldg(from + 1);
      memory_.bytes[tile_bytes / sizeof(uint4) + thread * 2] = a;
      memory_.bytes[tile_bytes / sizeof(uint4) + thread * 2 + 1] = b;
      memory_.inside[block_threads + thread] = inside_of(a, b);
    }

    const unsigned lane = thread % 32;
    const std::uint64_t position = begin_ + thread * 32u;
    std::uint32_t before = __shfl_up_sync(~0u, mask, 1) >> 31;
    if (lane == 0)
      before = position == 0 ? rule::before_chunk
                             : rule::inside(static_cast<unsigned char>(part_.data[position - 1])) & 1u;
    std::uint32_t starts = rule::starts(mask, before);
    if (position + 32 > part_.size) {
      // The chunk ends among these bytes or before them.
      starts = position >= part_.size ? 0 : starts & ((1u << (part_.size - position)) - 1);
    }

    const std::uint32_t mine = static_cast<std::uint32_t>(__popc(starts));
    std::uint32_t up_to_mine = mine;
#pragma unroll
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(~0u, up_to_mine, step);
      if (lane >= step) up_to_mine += other;
    }
    if (lane == 31) memory_.warp_starts[thread / 32] = up_to_mine;
    __syncthreads();

    // Every warp adds up the warps before it by itself; that spares a barrier.
    std::uint32_t warp_sum = lane < warps ? memory_.warp_starts[lane] : 0;
#pragma unroll
    for (unsigned step = 1; step < warps; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(~0u, warp_sum, step);
      if (lane >= step) warp_sum += other;
    }
    count_ = __shfl_sync(~0u, warp_sum, warps - 1);
    const unsigned warp = thread / 32;
    const std::uint32_t before_warp = __shfl_sync(~0u, warp_sum, warp == 0 ? 0 : warp - 1);
    std::uint32_t place = (warp == 0 ? 0 : before_warp) + up_to_mine - mine;
    for (; starts != 0; starts &= starts - 1) {
      memory_.starts[place++] = static_cast<std::uint16_t>(
          thread * 32 + static_cast<unsigned>(__ffs(static_cast<int>(starts))) - 1);
    }
    // A run through the last byte of the tile and all of the lookahead began at the last start of this tile,
    // if there is any.
    leaves_lookahead_ = count_ > 0 && memory_.inside[block_threads - 1] >> 31 != 0;
#pragma unroll
    for (unsigned i = 0; i < lookahead / 32; ++i) {
      leaves_lookahead_ = leaves_lookahead_ && memory_.inside[block_threads + i] == ~0u;
    }
    if (leaves_lookahead_ && thread == 0) memory_.run_end = end_of_run(begin_ + tile_bytes + lookahead);
    __syncthreads();
  }

  [[nodiscard]] __device__ std::uint32_t count() const { return count_; }

  /// The same for all threads.
  [[nodiscard]] __device__ std::uint64_t bytes_at_most() const {
    return leaves_lookahead_ ? memory_.run_end - begin_ : tile_bytes + lookahead;
  }

  [[nodiscard]] __device__ typename Format::record record(std::uint32_t i, record_bytes& bytes) const {
    return record_at(memory_.starts[i], bytes);
  }

  __device__ void defer(std::uint32_t i) {
    memory_.deferred[atomicAdd(&memory_.deferred_count, 1u)] = memory_.starts[i];
  }
  [[nodiscard]] __device__ std::uint32_t deferred_count() const { return memory_.deferred_count; }
  [[nodiscard]] __device__ typename Format::record deferred_record(std::uint32_t i,
                                                                   record_bytes& bytes) const {
    const std::uint32_t start = memory_.deferred[i];
    bytes.next = eight_at(start + 8);
    bytes.has_next = true;
    return record_at(start, bytes);
  }

 private:
  [[nodiscard]] __device__ static std::uint32_t inside_of(const uint4& a, const uint4& b) {
    return inside_of(a) | inside_of(b) << 16;
  }
  [[nodiscard]] __device__ static std::uint32_t inside_of(const uint4& a) {
    return rule::inside(a.x) | rule::inside(a.y) << 4 | rule::inside(a.z) << 8 | rule::inside(a.w) << 12;
  }

  [[nodiscard]] __device__ std::uint64_t eight_at(std::uint32_t at) const {
    const auto* quads = reinterpret_cast<const std::uint32_t*>(memory_.bytes) + at / 4;
    const std::uint32_t shift = at % 4 * 8;
    return static_cast<std::uint64_t>(__funnelshift_r(quads[1], quads[2], shift)) << 32 |
           __funnelshift_r(quads[0], quads[1], shift);
  }

  [[nodiscard]] __device__ typename Format::record record_at(std::uint32_t start, record_bytes& bytes) const {
    const std::uint64_t position = begin_ + start;
    const std::uint64_t size = min(end_of(start), part_.size) - position;
    bytes.bytes = {part_.data + position, size};
    bytes.head = eight_at(start);
    bytes.has_head = true;
    return text_record(format_, part_, position, size);
  }

  /// Where the record that starts at `start` of the tile ends in the chunk (or behind it, in the padding).
  [[nodiscard]] __device__ std::uint64_t end_of(std::uint32_t start) const {
    unsigned i = start / 32;
    std::uint32_t outside = ~memory_.inside[i] & ~0u << start % 32;
    while (outside == 0) {
      if (++i == masks) return memory_.run_end;
      outside = ~memory_.inside[i];
    }
    return begin_ + i * 32u + static_cast<unsigned>(__ffs(static_cast<int>(outside))) - 1;
  }

  /// The first byte from `at` on that is outside, or one behind the chunk. `at` is a multiple of 16.
  [[nodiscard]] __device__ std::uint64_t end_of_run(std::uint64_t at) const {
    for (; at < part_.size; at += 16) {
      const std::uint32_t outside =
          ~inside_of(__ldg(reinterpret_cast<const uint4*>(part_.data + at))) & 0xFFFFu;
      if (outside != 0) return at + static_cast<unsigned>(__ffs(static_cast<int>(outside))) - 1;
    }
    return part_.size;
  }

  storage& memory_;
  const chunk& part_;
  const Format& format_;
  uint4 first_;
  uint4 second_;
  std::uint64_t begin_ = 0;
  std::uint32_t count_ = 0;
  bool leaves_lookahead_ = false;
};

/// Records that can be computed from their number: rows and indices. A tile is a fixed number of them.
template <class Format>
class numbered_tile {
 public:
  static constexpr bool defers = false;
  static constexpr std::uint64_t padding_bytes = read_padding;
  static constexpr unsigned char padding = 0;

  struct storage {};

  [[nodiscard]] DUOMAP_HD static std::uint64_t tiles(const chunk& part, const Format& format) {
    return (records(part, format) + tile_records - 1) / tile_records;
  }

  __device__ numbered_tile(storage&, const chunk& part, const Format& format)
    : part_(part), format_(format), records_(records(part, format)) {}

  __device__ void load(std::uint64_t tile) { first_ = tile * tile_records; }
  __device__ void find() { __syncthreads(); }

  [[nodiscard]] __device__ std::uint32_t count() const {
    return static_cast<std::uint32_t>(min(records_ - first_, std::uint64_t{tile_records}));
  }
  [[nodiscard]] __device__ std::uint64_t bytes_at_most() const { return count() * record_size(format_); }

  [[nodiscard]] __device__ typename Format::record record(std::uint32_t i, record_bytes& bytes) const {
    bytes = {};
    return make_record(format_, first_ + i, bytes);
  }

 private:
  static constexpr unsigned tile_records = 4 * block_threads;

  [[nodiscard]] DUOMAP_HD static std::uint64_t record_size(const index_range&) { return 0; }
  template <class T>
  [[nodiscard]] DUOMAP_HD static std::uint64_t record_size(const rows<T>& format) {
    return format.row_bytes();
  }

  [[nodiscard]] DUOMAP_HD static std::uint64_t records(const chunk& part, const index_range&) {
    return part.size;
  }
  template <class T>
  [[nodiscard]] DUOMAP_HD static std::uint64_t records(const chunk& part, const rows<T>& format) {
    return part.size / format.row_bytes();
  }

  [[nodiscard]] __device__ std::uint64_t make_record(const index_range&, std::uint64_t i,
                                                     record_bytes&) const {
    return part_.offset + i;
  }
  template <class T>
  [[nodiscard]] __device__ row<T> make_record(const rows<T>& format, std::uint64_t i,
                                              record_bytes& bytes) const {
    bytes.bytes = {part_.data + i * format.row_bytes(), format.row_bytes()};
    return {reinterpret_cast<const T*>(bytes.bytes.data), format.width,
            (part_.offset - format.header_bytes) / format.row_bytes() + i};
  }

  const chunk& part_;
  const Format& format_;
  std::uint64_t records_;
  std::uint64_t first_ = 0;
};

template <>
class record_tile<index_range> : public numbered_tile<index_range> {
  using numbered_tile::numbered_tile;
};

template <class T>
class record_tile<rows<T>> : public numbered_tile<rows<T>> {
  using numbered_tile<rows<T>>::numbered_tile;
};

}  // namespace duomap::gpu
