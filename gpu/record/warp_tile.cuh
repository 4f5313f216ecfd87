// Finds the records that start in a warp's tile of a chunk.
#pragma once

#include "core/chunk.hpp"
#include "core/record/formats.hpp"
#include "core/text/load.hpp"
#include "gpu/record/chunk_padding.hpp"
#include "gpu/record/text_rule.cuh"
#include "gpu/runtime/warp.cuh"

#include <concepts>
#include <cstdint>

namespace duomap::gpu {

/// The bytes of a record in its chunk. If its first bytes are in registers, `head` and `next` have them (with
/// the bytes behind the record), so that emitting the record as a key is cheap.
struct record_bytes {
  byte_view bytes;
  std::uint64_t head = 0;  ///< the first eight bytes of the record
  std::uint64_t next = 0;  ///< the next eight bytes of the record
  bool has_head = false;
  bool has_next = false;
};

/// All lanes of a warp call find() for each tile, and then any lane record(start(i)).
///   tiles(chunk, format)      the number of tiles of a chunk
///   storage                   shared memory that each warp needs
///   find(tile)                lists the records that start in the tile
///   count()                   their number; after find()
///   start(i)                  the start of the i-th record
///   record(start, bytes)      the record at this start, and its bytes
///   bytes_at_most()           an upper bound for the bytes of all records together
/// An engine may also go through a tile of short records twice, so that rare records do not delay frequent
/// ones:
///   most_are_short            whether it should
///   near_record(start, record, bytes)
///                             same as record() and cheaper, if the record ends within 31 bytes; else false
///   keep(start, wanted, kept) keeps each lane's wanted record for the second time, behind the `kept` records
///                             kept so far, and returns the new number. Lanes call it with the records in
///                             order. Afterwards start(0) to start(kept - 1) are those records.
template <class Format>
class warp_tile;

/// The tile of text formats: each lane makes one mask of 32 bytes, and a list gathers the starts, so that
/// lanes share out records instead of bytes. A record belongs to the tile in which it starts. It may end in
/// the `lookahead` bytes that are loaded with the tile, or further on in the chunk.
template <class Format>
  requires requires { text_rule<Format>::most_starts; }
class warp_tile<Format> {
  using rule = text_rule<Format>;
  static constexpr unsigned lookahead = tile_lookahead;
  static constexpr unsigned masks = (tile_bytes + lookahead) / 32;

 public:
  static constexpr bool most_are_short = rule::most_are_short;

  struct alignas(16) storage {
    uint4 bytes[(tile_bytes + lookahead) / sizeof(uint4)];
    std::uint32_t inside[masks];
    std::uint16_t starts[rule::most_starts];
  };

  [[nodiscard]] DUOMAP_HD static std::uint64_t tiles(const chunk& part, const Format&) {
    return (part.size + tile_bytes - 1) / tile_bytes;
  }

  __device__ warp_tile(storage& memory, const chunk& part, const Format& format)
    : memory_(memory), part_(part), format_(format) {}

  /// A tile that another warp has found, with its end_of_last(); only record(start(i)) may be called.
  __device__ warp_tile(storage& memory, const chunk& part, const Format& format, std::uint64_t tile,
                       std::uint64_t end)
    : memory_(memory), part_(part), format_(format), begin_(tile * tile_bytes), run_end_(end) {}

  __device__ void find(std::uint64_t tile) {
    const unsigned lane = lane_index();
    begin_ = tile * tile_bytes;
    const char* const tile_begin = part_.data + begin_;
    const auto* const from = reinterpret_cast<const uint4*>(tile_begin) + lane * 2;
    const uint4 first = __ldg(from);
    const uint4 second = __ldg(from + 1);
    // One classification covers two bytes of the lookahead for each lane, and the byte before the tile.
    const std::uint32_t ahead_low = load_byte(tile_begin + tile_bytes + lane);
    const std::uint32_t ahead_high = load_byte(tile_begin + tile_bytes + 32 + lane);
    const std::uint32_t byte_before = begin_ == 0 ? 0 : load_byte(tile_begin - 1);
    __syncwarp();  // all lanes have read the previous tile

    memory_.bytes[lane * 2] = first;
    memory_.bytes[lane * 2 + 1] = second;
    auto* const ahead_bytes = reinterpret_cast<unsigned char*>(memory_.bytes) + tile_bytes;
    ahead_bytes[lane] = static_cast<unsigned char>(ahead_low);
    ahead_bytes[lane + 32] = static_cast<unsigned char>(ahead_high);
    const std::uint32_t mask = inside_of(first, second);
    memory_.inside[lane] = mask;
    const std::uint32_t edges = rule::inside(ahead_low | ahead_high << 8 | byte_before << 16);
    const std::uint32_t ahead_first = __ballot_sync(all_lanes, (edges & 1) != 0);
    const std::uint32_t ahead_second = __ballot_sync(all_lanes, (edges & 2) != 0);
    if (lane < 2) memory_.inside[32 + lane] = lane == 0 ? ahead_first : ahead_second;

    const std::uint32_t mask_before = __shfl_up_sync(all_lanes, mask, 1);
    const std::uint32_t before = lane > 0      ? mask_before >> 31
                                 : begin_ == 0 ? std::uint32_t{rule::before_chunk}
                                               : edges >> 2 & 1;
    std::uint32_t starts = rule::starts(mask, before);
    if (begin_ + tile_bytes > part_.size) {
      // The chunk ends in this tile: bytes behind the end count as outside.
      const std::uint64_t position = begin_ + lane * 32;
      if (position >= part_.size) {
        starts = 0;
      } else if (position + 32 > part_.size) {
        starts &= (1u << (part_.size - position)) - 1;
      }
    }
    const auto mine = static_cast<std::uint32_t>(__popc(starts));
    const std::uint32_t up_to_mine = inclusive_sum(mine);
    count_ = __shfl_sync(all_lanes, up_to_mine, 31);
    std::uint32_t place = up_to_mine - mine;
    for (; starts != 0; starts &= starts - 1)
      memory_.starts[place++] =
          static_cast<std::uint16_t>(lane * 32 + static_cast<unsigned>(__ffs(static_cast<int>(starts))) - 1);

    // If all bytes from the tile's last byte to the end of the lookahead are inside a record, they belong to
    // the last record that starts in this tile, if there is one.
    const bool leaves_tile = __shfl_sync(all_lanes, mask, 31) >> 31 != 0;
    leaves_lookahead_ = count_ > 0 && leaves_tile && (ahead_first & ahead_second) == ~0u;
    if (leaves_lookahead_) run_end_ = end_of_run(begin_ + tile_bytes + lookahead);
    if constexpr (std::same_as<Format, fields>) {
      const std::uint32_t four = 0x01010101u * static_cast<unsigned char>(format_.quote);
      const bool has_quote = detail::has_byte(first, four) || detail::has_byte(second, four) ||
                             detail::has_byte(ahead_low | ahead_high << 8, four);
      may_have_quote_ = format_.quote != '\0' && (leaves_lookahead_ || __any_sync(all_lanes, has_quote));
    }
    __syncwarp();
  }

  [[nodiscard]] __device__ std::uint32_t count() const { return count_; }

  /// The end of the last record, which another warp needs to read the tile's records.
  [[nodiscard]] __device__ std::uint64_t end_of_last() const { return run_end_; }

  /// An upper bound for the bytes of all records, the same for all lanes.
  [[nodiscard]] __device__ std::uint64_t bytes_at_most() const {
    return leaves_lookahead_ ? run_end_ - begin_ : tile_bytes + lookahead;
  }

  [[nodiscard]] __device__ std::uint32_t start(std::uint32_t i) const { return memory_.starts[i]; }

  [[nodiscard]] __device__ typename Format::record record(std::uint32_t start, record_bytes& bytes) const {
    bytes.next = eight_at(start + 8);
    bytes.has_next = true;
    return record_at(start, end_of(start) - (begin_ + start), bytes);
  }

  [[nodiscard]] __device__ bool near_record(std::uint32_t start, typename Format::record& record,
                                            record_bytes& bytes) const {
    const std::uint32_t* const inside = memory_.inside + start / 32;
    const std::uint32_t outside = ~__funnelshift_r(inside[0], inside[1], start);
    bytes.has_next = false;
    record = record_at(start, static_cast<std::uint64_t>(__ffs(static_cast<int>(outside)) - 1), bytes);
    return outside != 0;
  }

  [[nodiscard]] __device__ std::uint32_t keep(std::uint32_t start, bool wanted, std::uint32_t kept) {
    const unsigned all = __ballot_sync(all_lanes, wanted);
    // The kept starts overwrite the beginning of the list of starts. All lanes have read the starts that
    // stood there.
    __syncwarp();
    if (wanted) memory_.starts[kept + __popc(all & lanes_before())] = static_cast<std::uint16_t>(start);
    __syncwarp();
    return kept + static_cast<std::uint32_t>(__popc(all));
  }

 private:
  [[nodiscard]] __device__ static std::uint32_t load_byte(const char* at) {
    return __ldg(reinterpret_cast<const unsigned char*>(at));
  }

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

  [[nodiscard]] __device__ typename Format::record record_at(std::uint32_t start, std::uint64_t size,
                                                             record_bytes& bytes) const {
    const std::uint64_t position = begin_ + start;
    bytes.bytes = {part_.data + position, size};
    bytes.head = eight_at(start);
    bytes.has_head = true;
    if constexpr (std::same_as<Format, fields>) {
      return text_record(format_, part_, position, size, may_have_quote_);
    } else {
      return text_record(format_, part_, position, size);
    }
  }

  /// The end, in the chunk, of the record that starts at `start` of the tile. All bytes behind the chunk
  /// count as outside.
  [[nodiscard]] __device__ std::uint64_t end_of(std::uint32_t start) const {
    unsigned i = start / 32;
    std::uint32_t outside = ~memory_.inside[i] & ~0u << start % 32;
    while (outside == 0) {
      if (++i == masks) return run_end_;
      outside = ~memory_.inside[i];
    }
    return begin_ + i * 32u + static_cast<unsigned>(__ffs(static_cast<int>(outside))) - 1;
  }

  /// The first outside byte from `at` on, or the chunk's end. `at` must be a multiple of 32. Called by all
  /// lanes.
  [[nodiscard]] __device__ std::uint64_t end_of_run(std::uint64_t at) const {
    // Bytes of two tiles at a time, because one warp alone waits for memory most of the time.
    constexpr unsigned ahead = 2;
    for (at += lane_index() * 32;; at += ahead * tile_bytes) {
      std::uint32_t outside[ahead];
#pragma unroll
      for (unsigned i = 0; i < ahead; ++i) outside[i] = outside_at(at + i * tile_bytes);
#pragma unroll
      for (unsigned i = 0; i < ahead; ++i) {
        const unsigned ended = __ballot_sync(all_lanes, outside[i] != 0);
        if (ended == 0) continue;
        const std::uint64_t end =
            at + i * tile_bytes + static_cast<unsigned>(__ffs(static_cast<int>(outside[i]))) - 1;
        return min(__shfl_sync(all_lanes, end, __ffs(static_cast<int>(ended)) - 1), part_.size);
      }
    }
  }

  /// A mask of the outside bytes among the 32 bytes from `at`, a multiple of 32. Bytes behind the chunk count
  /// as outside.
  [[nodiscard]] __device__ std::uint32_t outside_at(std::uint64_t at) const {
    const bool is_there = at < part_.size;
    const auto* const from = reinterpret_cast<const uint4*>(part_.data + (is_there ? at : 0));
    const std::uint32_t inside = inside_of(__ldg(from), __ldg(from + 1));
    return is_there ? ~inside : ~0u;
  }

  storage& memory_;
  const chunk& part_;
  const Format& format_;
  std::uint64_t begin_ = 0;
  std::uint64_t run_end_ = 0;  // end, in the chunk, of the record that leaves the lookahead
  std::uint32_t count_ = 0;
  bool leaves_lookahead_ = false;
  bool may_have_quote_ = true;  // of fields: whether a record of the tile may have a quote
};

/// Records that are found by their number: rows and indices. A tile is a fixed number of records.
template <class Format>
class numbered_tile {
 public:
  static constexpr bool most_are_short = false;

  struct alignas(16) storage {};

  [[nodiscard]] DUOMAP_HD static std::uint64_t tiles(const chunk& part, const Format& format) {
    return (records(part, format) + tile_records - 1) / tile_records;
  }

  __device__ numbered_tile(storage&, const chunk& part, const Format& format)
    : part_(part), format_(format), records_(records(part, format)) {}
  __device__ numbered_tile(storage& memory, const chunk& part, const Format& format, std::uint64_t tile,
                           std::uint64_t /*end*/)
    : numbered_tile(memory, part, format) {
    find(tile);
  }

  __device__ void find(std::uint64_t tile) { first_ = tile * tile_records; }

  [[nodiscard]] __device__ std::uint32_t count() const {
    return static_cast<std::uint32_t>(min(records_ - first_, std::uint64_t{tile_records}));
  }
  [[nodiscard]] __device__ std::uint64_t end_of_last() const { return 0; }
  [[nodiscard]] __device__ std::uint64_t bytes_at_most() const { return count() * record_size(format_); }

  [[nodiscard]] __device__ std::uint32_t start(std::uint32_t i) const { return i; }
  [[nodiscard]] __device__ typename Format::record record(std::uint32_t start, record_bytes& bytes) const {
    bytes = {};
    return make_record(format_, first_ + start, bytes);
  }

 private:
  static constexpr unsigned tile_records = 8 * 32;

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
  [[nodiscard]] __device__ typename rows<T>::record make_record(const rows<T>& format, std::uint64_t i,
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

template <std::same_as<index_range> Format>
class warp_tile<Format> : public numbered_tile<Format> {
  using numbered_tile<Format>::numbered_tile;
};

template <class T>
class warp_tile<rows<T>> : public numbered_tile<rows<T>> {
  using numbered_tile<rows<T>>::numbered_tile;
};

}  // namespace duomap::gpu
