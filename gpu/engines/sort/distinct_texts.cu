#include "core/compact_key.hpp"
#include "core/text/keyed_hash.hpp"
#include "core/zeroed_memory.hpp"
#include "gpu/engines/probe_path.hpp"
#include "gpu/engines/sort/distinct_texts.cuh"
#include "gpu/engines/sort/key_compare.hpp"
#include "gpu/runtime/atomic.hpp"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/grid.cuh"
#include "gpu/runtime/launch.cuh"
#include "gpu/runtime/warp.cuh"

#include <algorithm>
#include <bit>
#include <utility>

namespace duomap::gpu {
namespace {

using word = unsigned long long;

// A slot of the table is 0, or the flag is_new, 23 bits of a text's hash, and 40 bits. For a new text, these
// 40 bits are the index of its field. Later they are its place among the kept texts, in words, from 1 on.
constexpr word is_new = word{1} << 63;
constexpr unsigned tag_shift = 40;
constexpr word place_mask = (word{1} << tag_shift) - 1;
constexpr std::uint32_t not_kept = ~std::uint32_t{0};

[[nodiscard]] __device__ word tag_of(std::uint64_t hash) { return (hash >> 9 & 0x7FFFFF) << tag_shift; }

struct text_table {
  word* slots;
  unsigned slot_bits;
  std::uint64_t hash_mask;
  hash_secret secret;
  char* kept;
  word* next_free;  // the number of kept bytes

  [[nodiscard]] __device__ std::uint64_t home(std::uint64_t hash) const {
    return (hash & hash_mask) >> (64 - slot_bits);
  }
  [[nodiscard]] __device__ atomic_ref<word, thread_scope::device> slot(std::uint32_t i) const {
    return atomic_ref<word, thread_scope::device>(slots[i]);
  }
  /// Points to the text of an occupied slot, which begins with its length.
  [[nodiscard]] __device__ const std::uint64_t* text(word slot, const text_fields& all) const {
    const word place = slot & place_mask;
    const char* const at =
        (slot & is_new) != 0 ? all[place].stored_bytes() - sizeof(std::uint64_t) : kept + (place - 1) * 8;
    return reinterpret_cast<const std::uint64_t*>(at);
  }
};

[[nodiscard]] __device__ bool same_text(const std::uint64_t* a, const std::uint64_t* b) {
  if (a == b) return true;
  if (a[0] != b[0]) return false;
  const std::uint64_t words = stored_bytes_of(a[0]) / 8;
  for (std::uint64_t i = 1; i < words; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

/// The far hash of a text that begins with its length.
[[nodiscard]] __device__ std::uint64_t far_hash(const std::uint64_t* text, const hash_secret& secret) {
  const std::uint64_t words = stored_bytes_of(text[0]) / 8;
  std::uint64_t hash = secret.first;
  for (std::uint64_t i = 0; i < words; ++i) hash = secret_product(hash ^ text[i], secret.second);
  return hash;
}

/// Finds the slot of each text. A text that has no slot takes an empty one, with its index. No thread waits
/// for another one to write, because every text is already in memory.
__global__ void find_slots(const text_fields all, const text_table table, std::uint32_t* slot_of) {
  const std::uint64_t last_slot = (word{1} << table.slot_bits) - 1;
  for (std::uint64_t i = first_element(); i < all.size(); i += element_step()) {
    const compact_key mine = all[i];
    if (mine.is_short()) {
      slot_of[i] = not_kept;
      continue;
    }
    const std::uint64_t hash = mine.hash();
    const word entry = is_new | tag_of(hash) | i;
    const auto* const text =
        reinterpret_cast<const std::uint64_t*>(mine.stored_bytes() - sizeof(std::uint64_t));
    const auto takes = [&](std::uint64_t at) {
      const auto slot = table.slot(at);
      word found = slot.load(std::memory_order_relaxed);
      const bool taken = found == 0 && slot.compare_exchange(found, entry, std::memory_order_relaxed);
      return taken ||
             (((found ^ entry) & ~is_new & ~place_mask) == 0 && same_text(table.text(found, all), text));
    };
    const std::uint64_t at = find_slot(table.home(hash), last_slot, 64 - table.slot_bits, takes,
                                       [&] { return far_hash(text, table.secret); });
    slot_of[i] = static_cast<std::uint32_t>(at);
  }
}

/// Copies each new text to the kept ones, by all lanes of a warp, and updates its slot.
__global__ void keep_new(const text_fields all, const text_table table, const std::uint32_t* slot_of) {
  const std::uint64_t size = all.size();
  for (std::uint64_t first = first_element() - lane_index(); first < size; first += element_step()) {
    const std::uint64_t i = first + lane_index();
    const std::uint32_t at = i < size ? slot_of[i] : not_kept;
    word entry = 0;
    bool fresh = false;
    if (at != not_kept) {
      entry = is_new | tag_of(all[i].hash()) | i;
      fresh = table.slot(at).load(std::memory_order_relaxed) == entry;
    }
    for (std::uint32_t left = __ballot_sync(all_lanes, fresh); left != 0; left &= left - 1) {
      const int lane = __ffs(static_cast<int>(left)) - 1;
      const auto* const from = table.text(is_new | (first + static_cast<unsigned>(lane)), all);
      const std::uint64_t bytes = stored_bytes_of(from[0]);
      word begin = 0;
      if (lane_index() == 0) begin = atomicAdd(table.next_free, bytes);
      begin = __shfl_sync(all_lanes, begin, 0);
      auto* const to = reinterpret_cast<std::uint64_t*>(table.kept + begin);
      for (std::uint64_t w = lane_index(); w < bytes / 8; w += 32) to[w] = from[w];
      if (static_cast<int>(lane_index()) == lane)
        table.slot(at).store((entry & ~is_new & ~place_mask) | (begin / 8 + 1), std::memory_order_relaxed);
    }
  }
}

__global__ void point_to_host(const text_fields all, const text_table table, const std::uint32_t* slot_of,
                              const char* on_host) {
  for (std::uint64_t i = first_element(); i < all.size(); i += element_step()) {
    if (slot_of[i] == not_kept) continue;
    const word place = table.slots[slot_of[i]] & place_mask;
    compact_key& key = all[i];
    key = compact_key::of_stored(key.hash(), on_host + (place - 1) * 8 + sizeof(std::uint64_t));
  }
}

}  // namespace

void distinct_texts::begin_anew(std::uint64_t bytes, const stream& on) {
  // The table has room for several pieces of this size, so that a text that several pieces share is sent
  // once.
  constexpr std::uint64_t pieces = 8;
  constexpr std::uint64_t least = std::uint64_t{1} << 20;
  known_.reset();
  generation next;
  next.capacity = std::max(bytes, std::min(std::max(pieces * bytes, least), most_bytes_ / 2) / 8 * 8);
  // A text has at least 24 bytes, so at most two thirds of the slots are taken.
  next.slot_bits = static_cast<unsigned>(std::bit_width(next.capacity / 16));
  const std::uint64_t slot_bytes = sizeof(word) << next.slot_bits;
  next.texts = device_buffer(next.capacity, on);
  next.slots = device_buffer(slot_bytes, on);
  next.next_free = device_buffer(sizeof(word), on);
  check(cudaMemsetAsync(next.slots.as<void>(), 0, slot_bytes, on.get()), "clearing a table of texts");
  check(cudaMemsetAsync(next.next_free.as<void>(), 0, sizeof(word), on.get()), "clearing a count");
  // The allocation takes only address space: a page uses memory when something is copied to it.
  zeroed_memory host = allocate_zeroed(next.capacity, "what a GPU has collected");
  next.on_host = static_cast<char*>(host.get());
  next.arena = std::make_shared<key_arena>();
  next.arena->adopt(std::move(host));
  known_.emplace(std::move(next));
}

distinct_texts::addition distinct_texts::deduplicate_long_texts(const text_fields& all, std::uint64_t bytes,
                                                                const stream& on) {
  if (!known_ || known_->capacity - known_->used < bytes) begin_anew(bytes, on);
  generation& to = *known_;
  const text_table table{to.slots.as<word>(),   to.slot_bits,        hash_mask_,
                         process_hash_secret(), to.texts.as<char>(), to.next_free.as<word>()};
  try {
    auto* const slot_of = places_.get<std::uint32_t>(all.size(), on);
    launch(find_slots, element_grid(all.size(), on), all, table, slot_of);
    launch(keep_new, element_grid(all.size(), on), all, table, slot_of);
    launch(point_to_host, element_grid(all.size(), on), all, table, slot_of, to.on_host);
  } catch (const device_out_of_memory&) {
    forget();
    throw;
  }
  word used = 0;
  check(cudaMemcpyAsync(&used, to.next_free.as<void>(), sizeof used, cudaMemcpyDeviceToHost, on.get()),
        "reading how much text is new");
  on.wait();
  const std::uint64_t before = std::exchange(to.used, used);
  return {to.texts.as<char>() + before, to.on_host + before, used - before};
}

}  // namespace duomap::gpu
