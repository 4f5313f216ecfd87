// Keeps each long text that a task collects once: its bytes come to the host with the first emit that has it.
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

/// The compact_keys among collected emits in device memory: keys, values of any length, or both. The bytes of
/// the long ones stand on the device, as stored_bytes_of() says.
struct text_fields {
  char* emits = nullptr;
  std::uint64_t stride = 0;  ///< bytes from emit to emit
  std::uint32_t count = 0;   ///< of emits
  std::uint32_t fields = 0;  ///< compact_keys in each, 1 or 2
  std::uint32_t offsets[2] = {};

  [[nodiscard]] DUOMAP_HD std::uint64_t size() const { return std::uint64_t{count} * fields; }
  [[nodiscard]] DUOMAP_HD compact_key& operator[](std::uint64_t i) const {
    const std::uint64_t emit = fields == 2 ? i / 2 : i;
    return *reinterpret_cast<compact_key*>(emits + emit * stride + offsets[fields == 2 ? i % 2 : 0]);
  }
};

/// A table of texts in device memory beside the place on the host where they will stand. When it is full, it
/// begins anew, and forgets what it knew; what is on the host stays with the holders of its arena.
class distinct_texts {
 public:
  /// `most_bytes`: of device memory for texts and table. `hash_mask`: hash bits that the table may use.
  explicit distinct_texts(std::uint64_t most_bytes, std::uint64_t hash_mask)
    : most_bytes_(most_bytes), hash_mask_(hash_mask) {}

  /// Bytes that are new, and where they belong.
  struct addition {
    const char* from = nullptr;  ///< on the device
    char* to = nullptr;          ///< on the host
    std::uint64_t bytes = 0;
  };

  /// Makes the long texts of `all`, which have `bytes` > 0 bytes with their lengths, point to the host. The
  /// addition has to be copied there before anybody reads them. Waits for the stream.
  /// @throws device_out_of_memory, after which it knows nothing any more
  [[nodiscard]] addition keep_once(const text_fields& all, std::uint64_t bytes, const stream& on);

  /// Owns the bytes that the texts of the last keep_once() point to.
  [[nodiscard]] const std::shared_ptr<key_arena>& arena() const { return known_->arena; }

  /// Frees its device memory and begins anew.
  void forget() {
    known_.reset();
    places_ = {};
  }

 private:
  /// All texts that are kept at the same time.
  struct generation {
    std::uint64_t capacity = 0;  // bytes of texts
    std::uint64_t used = 0;      // those of them that the host has been told of
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
  scratch places_;  // the slot of each text of a piece
};

}  // namespace duomap::gpu
