// Chooses the scanner that a CPU worker uses for a record format.
#pragma once

#include "core/chunk.hpp"
#include "core/record/words.hpp"
#include "cpu/scan/lower_case.hpp"
#include "cpu/scan/scan_words.hpp"

#include <memory>
#include <type_traits>

namespace duomap::cpu {

/// Visits the records of chunks, by the format's own definition unless a faster way is known. Used by one
/// thread at a time.
template <class Format>
class scanner_for {
 public:
  /// The chunk whose bytes the records will point into. Valid until the next call.
  [[nodiscard]] chunk prepare(const Format& /*format*/, const chunk& part) { return part; }

  /// Calls use(record) for each record of a prepared chunk, in order. The format is not a member, because
  /// compilers must see which of its settings are constants.
  template <class Use>
  void for_each_record(const Format& format, const chunk& prepared, Use&& use) {
    format.for_each_record(prepared, use);
  }
};

/// Words: vector instructions, and a lower-cased copy of the chunk when the format asks for it.
template <>
class scanner_for<words> {
 public:
  [[nodiscard]] chunk prepare(const words& format, const chunk& part) {
    return format.lower_case ? lowered_.copy(part) : part;
  }

  template <class Use>
  void for_each_record(const words& /*format*/, const chunk& prepared, Use&& use) {
    scanner_->for_each_record(prepared, use);
  }

 private:
  std::unique_ptr<word_scanner> scanner_ = std::make_unique<word_scanner>();
  lower_case_copy lowered_;
};

}  // namespace duomap::cpu
