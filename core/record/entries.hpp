// Record format: the entries of an earlier result, without copying them.
// host only
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/compact_key.hpp"
#include "core/config.hpp"
#include "core/key.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap {

/// One entry of a result: a key and its value before finish(). A key of variable length is a view.
template <hashed_key Key, class Value>
struct entry {
  Key key;
  Value value;
};

/// The entries of a keyed_result, in the memory to which its merge wrote them: nothing is copied or sorted,
/// and a key of up to 15 bytes is read from the entry. For entries_of() and run(task, result)
/// (scheduler/chained_run.hpp).
template <hashed_key Key, class Value>
struct entries {
  using record = entry<Key, Value>;
  using slot = keyed_entry<Value>;
  static constexpr bool records_stay = true;  ///< records live as long as the earlier result

  /// About 64 KiB of entries, as for rows.
  [[nodiscard]] static constexpr std::uint64_t grain() {
    return (torture ? 2 : std::max<std::uint64_t>(1, 64 * 1024 / sizeof(slot))) * sizeof(slot);
  }
  [[nodiscard]] static std::uint64_t first_start(byte_view /*source*/, std::uint64_t from,
                                                 std::uint64_t limit) {
    return std::min((from + sizeof(slot) - 1) / sizeof(slot) * sizeof(slot), limit);
  }
  [[nodiscard]] static std::uint64_t last_start(byte_view block) {
    return block.size / sizeof(slot) * sizeof(slot);
  }

  /// Calls use(entry) for every entry of the chunk.
  template <class Use>
  void for_each_record(const chunk& part, Use&& use) const {
    const auto* const slots = reinterpret_cast<const slot*>(part.data);
    const std::uint64_t count = part.size / sizeof(slot);
    for (std::uint64_t i = 0; i < count; ++i) {
      // Long keys lie all over an arena. With 1,500,000 of them the prefetch halves the time on two busy
      // cores.
      if (i + ahead < count) {
        if (const char* const soon = slots[i + ahead].key.stored_bytes(); soon != nullptr)
          __builtin_prefetch(soon - sizeof(std::uint64_t));
      }
      use(record{key_from<Key>(slots[i].key), slots[i].value});
    }
  }

 private:
  static constexpr std::uint64_t ahead = 16;
};

}  // namespace duomap
