// Chooses the scanner that a CPU worker uses for a record format.
#pragma once

#include "core/chunk.hpp"
#include "core/record/fields.hpp"
#include "core/record/words.hpp"
#include "cpu/scan/lower_case.hpp"
#include "cpu/scan/scan_fields.hpp"
#include "cpu/scan/scan_words.hpp"

#include <memory>
#include <type_traits>

namespace duomap::cpu {

/// Visits the records of chunks. It uses the format's own definition, unless a faster way is known. Only one
/// thread may use a scanner at a time.
template <class Format>
class scanner_for {
 public:
  /// Returns a chunk whose bytes the records will point into. It is valid until the next call.
  [[nodiscard]] chunk prepare(const Format& /*format*/, const chunk& part) { return part; }

  /// Calls use(record) for each record of a prepared chunk, in order. The format is an argument and not a
  /// member, so that compilers see which of its settings are constants.
  template <class Use>
  void for_each_record(const Format& format, const chunk& prepared, Use&& use) {
    format.for_each_record(prepared, use);
  }
};

/// Scans words with vector instructions. For lower case, it scans a lower-cased copy of the chunk.
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

/// Scans fields with vector instructions, if the CPU has any. A '\r' that is a delimiter is left to the
/// format, because it may also be a part of the line's end.
template <>
class scanner_for<fields> {
 public:
  [[nodiscard]] chunk prepare(const fields& /*format*/, const chunk& part) { return part; }

  template <class Use>
  void for_each_record(const fields& format, const chunk& prepared, Use&& use) {
    if (scanner_ == nullptr || format.delimiter == '\r') return format.for_each_record(prepared, use);
    scanner_->for_each_record(format, prepared, use);
  }

 private:
  std::unique_ptr<field_scanner> scanner_ =
      field_ends_by_vectors() ? std::make_unique<field_scanner>() : nullptr;
};

}  // namespace duomap::cpu
