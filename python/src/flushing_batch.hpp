// Passes the emits of a compiled function from its batch to a worker's table.
#pragma once

#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/key.hpp"
#include "function_facts.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <exception>
#include <string>
#include <variant>

namespace duomap::python {

/// A batch that hands its emits to the emitter of a worker. It holds back an exception of the emitter until
/// the compiled function has returned.
template <class Key, class Value, class Emit>
class flushing_batch : emit_batch {
 public:
  flushing_batch(const function_facts& facts, const chunk& part, Emit& emit)
    : facts_(facts), part_(part), emit_(emit) {
    flush = [](emit_batch* batch) {
      static_cast<flushing_batch*>(batch)->take();
    };
    data = part.data;
    size = part.size;
    // verify() looks at each emit, so its emitters have no in_memory().
    if constexpr (requires { emit.in_memory(); }) {
      const auto memory = emit.in_memory();
      static_assert(sizeof(*memory.cells) == sizeof(std::uint64_t));
      cells = memory.cells;
      present = memory.present;
      keys_there = facts.key_count;
    }
  }
  flushing_batch(const flushing_batch&) = delete;
  flushing_batch& operator=(const flushing_batch&) = delete;

  /// Maps records and hands all their emits to the emitter.
  /// @throws map_failed if the function raised an exception or emitted an invalid key; the emitter's
  /// exceptions
  void call(const std::uint64_t* begins, const std::uint64_t* ends, std::uint64_t records) {
    const std::int32_t failed = facts_.function(part_.data, begins, ends, records, this);
    take();
    if (thrown_) std::rethrow_exception(thrown_);
    if (failed == 0) return;
    throw map_failed(std::string(facts_.name) + " raised an exception; call it in Python with " +
                     record_text(begins, ends));
  }

 private:
  void take() noexcept {
    const std::uint64_t waiting = count;
    count = 0;
    if (thrown_) return;
    try {
      for (std::uint64_t i = 0; i < waiting; ++i) emit_one(i);
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }

  void emit_one(std::uint64_t i) {
    const Value value = std::bit_cast<Value>(values[i]);
    if constexpr (std::same_as<Key, no_key>) {
      emit_(value);
    } else if constexpr (std::same_as<Key, byte_view>) {
      emit_(byte_view{reinterpret_cast<const char*>(keys[i]), sizes[i]}, value);
    } else {
      if (std::same_as<Key, dense> && keys[i] >= facts_.key_count) [[unlikely]] {
        throw map_failed(std::string(facts_.name) + " emitted the key " + std::to_string(keys[i]) +
                         ", and its keys are below " + std::to_string(facts_.key_count));
      }
      if (std::same_as<Key, std::uint64_t> && !facts_.range.has(keys[i])) [[unlikely]] {
        throw map_failed(
            std::string(facts_.name) + " emitted the key " +
            std::to_string(static_cast<std::int64_t>(keys[i])) +
            ", which the type of its keys does not have; int() of NaN or of a number that is too "
            "large gives such a key");
      }
      emit_(keys[i], value);
    }
  }

  [[nodiscard]] std::string record_text(const std::uint64_t* begins, const std::uint64_t* ends) const {
    const std::uint64_t at = record;
    if (begins == nullptr) {
      const auto& format = std::get<rows<char>>(facts_.format.of);
      return "row " + std::to_string((part_.offset - format.header_bytes) / format.row_bytes() + at);
    }
    return "the " + std::to_string(ends[at] - begins[at]) + " bytes at " +
           std::to_string(part_.offset + begins[at]);
  }

  const function_facts& facts_;
  const chunk& part_;
  Emit& emit_;
  std::exception_ptr thrown_;
};

}  // namespace duomap::python
