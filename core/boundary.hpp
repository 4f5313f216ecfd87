// Finds the places where an input may be cut into chunks. Only templates know more of a record format.
#pragma once

#include "core/byte_view.hpp"

#include <cstdint>

namespace duomap {

/// Finds record boundaries near a position. It reads only bytes near that position, so nobody has to read the
/// data first. A record belongs to the slice [from, to) of its source in which it starts, however far it
/// reaches. All methods are pure and may be called by any thread.
class boundary {
 public:
  virtual ~boundary() = default;

  /// The smallest position in [from, limit] at which a slice may start; `limit` if there is no smaller one.
  /// Reads bytes from source[from - 1] to source[limit - 1] only. A slice may always start at 0 and end at
  /// source.size. Requires from <= limit <= source.size.
  [[nodiscard]] virtual std::uint64_t first_start(byte_view source, std::uint64_t from,
                                                  std::uint64_t limit) const = 0;

  /// `block` starts with a whole record, and more bytes may follow it. Returns the size of the largest
  /// beginning of `block` that has whole records only; 0 if it has not one whole record.
  [[nodiscard]] virtual std::uint64_t last_start(byte_view block) const = 0;

  /// Units per grain: a smaller slice costs more to hand out than it is worth
  /// (scheduler/dispatch/chunk_source.hpp).
  [[nodiscard]] virtual std::uint64_t grain() const = 0;

  /// Whether records are binary: a byte of a record may have any value, and no byte always ends a record.
  [[nodiscard]] virtual bool binary() const { return false; }
  /// Whether records are indices, which have no bytes.
  [[nodiscard]] virtual bool indices() const { return false; }
};

/// Whether the records of a format are binary.
template <class Format>
inline constexpr bool is_binary = requires {
  requires Format::binary;
};

/// The boundary of a record format.
template <class Format>
class format_boundary final : public boundary {
 public:
  explicit format_boundary(const Format& format) : format_(format) {}

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from,
                                          std::uint64_t limit) const override {
    return format_.first_start(source, from, limit);
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const override { return format_.last_start(block); }
  [[nodiscard]] std::uint64_t grain() const override { return format_.grain(); }
  [[nodiscard]] bool binary() const override { return is_binary<Format>; }
  [[nodiscard]] bool indices() const override {
    return requires(const Format& format) { format.indices_per_grain; };
  }

 private:
  Format format_;
};

}  // namespace duomap
