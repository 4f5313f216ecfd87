// Keeps each long text that a task collects once: the first emit that has the text brings its bytes to the
// host.
#pragma once

#include "core/compact_key.hpp"
#include "core/key_arena.hpp"
#include "gpu/engines/sort/scratch.cuh"
#include "gpu/runtime/buffer.cuh"
#include "gpu/runtime/stream.cuh"

#include <cstdint>
#include <memory>
#include <optional>

namespace duomap::gpu {

/// The compact_keys of collected emits in device memory: keys, values of any length, or both. The bytes of
/// long keys and long values are on the device, in the form of stored_bytes_of().
struct text_fields {
  char* emits = nullptr;
  std::uint64_t stride = 0;  ///< bytes from one emit to the next
  std::uint32_t count = 0;   ///< the number of emits
  std::uint32_t fields = 0;  ///< the number of compact_keys in each emit, 1 or 2
  std::uint32_t offsets[2] = {};

  [[nodiscard]] DUOMAP_HD std::uint64_t size() const { return std::uint64_t{count} * fields; }
  [[nodiscard]] DUOMAP_HD compact_key& operator[](std::uint64_t i) const {
    const std::uint64_t emit = fields == 2 ? i / 2 : i;
    return *reinterpret_cast<compact_key*>(emits + emit * stride + offsets[fields == 2 ? i % 2 : 0]);
  }
};

/// A table of texts in device memory, with a place for each text on the host. A full table is replaced by an
/// empty table with a new arena. Texts on the host stay valid as long as anyone holds the old arena.
class distinct_texts {
 public:
  /// `most_bytes`: device memory for the texts and the table. `hash_mask`: the hash bits that the table uses.
  explicit distinct_texts(std::uint64_t most_bytes, std::uint64_t hash_mask)
    : most_bytes_(most_bytes), hash_mask_(hash_mask) {}

  /// New bytes on the device, and their place on the host.
  struct addition {
    const char* from = nullptr;  ///< the new bytes, on the device
    char* to = nullptr;          ///< their place, on the host
    std::uint64_t bytes = 0;
  };

  /// Makes the long texts of `all` point to the host. With their lengths they have `bytes` > 0 bytes. The
  /// caller must copy the addition to the host before anything reads the texts. Waits for the stream.
  /// @throws device_out_of_memory, after which the table is empty
  [[nodiscard]] addition deduplicate_long_texts(const text_fields& all, std::uint64_t bytes,
                                                const stream& on);

  /// Owns the bytes that the texts of the last deduplicate_long_texts() point to.
  [[nodiscard]] const std::shared_ptr<key_arena>& arena() const { return known_->arena; }

  /// Frees the device memory and starts again with an empty table.
  void forget() {
    known_.reset();
    places_ = {};
  }

 private:
  /// The texts that are kept at the same time.
  struct generation {
    std::uint64_t capacity = 0;  // bytes for texts
    std::uint64_t used = 0;      // bytes that earlier additions cover
    unsigned slot_bits = 0;
    device_buffer texts;
    device_buffer slots;
    device_buffer next_free;
    std::shared_ptr<key_arena> arena;
    char* on_host = nullptr;
  };

  void begin_anew(std::uint64_t bytes, const stream& on);

  std::uint64_t most_bytes_;
  std::uint64_t hash_mask_;
  std::optional<generation> known_;
  scratch places_;  // for each text of a piece, its slot
};

}  // namespace duomap::gpu
