// Which scanner a CPU worker uses for a record format.
#pragma once

#include "core/chunk.hpp"
#include "core/record/words.hpp"
#include "cpu/scan/lower_case.hpp"
#include "cpu/scan/scan_words.hpp"

#include <memory>
#include <type_traits>

namespace duomap::cpu {

/// Visits the records of chunks: the format's own definition where no faster way is known. Used by one thread
/// at a time.
template <class Format>
class scanner_for {
 public:
  explicit scanner_for(const Format& format) : format_(format) {}

  /// The chunk whose bytes the records will point into. Valid until the next call.
  [[nodiscard]] chunk prepare(const chunk& part) { return part; }

  /// Calls use(record) for each record of a prepared chunk, in order.
  template <class Use>
  void for_each_record(const chunk& prepared, Use&& use) {
    format_.for_each_record(prepared, use);
  }

 private:
  Format format_;
};

/// Words: vector instructions, and a lower-cased copy of the chunk when the format asks for it.
template <>
class scanner_for<words> {
 public:
  explicit scanner_for(const words& format)
    : scanner_(std::make_unique<word_scanner>()), lower_case_(format.lower_case) {}

  [[nodiscard]] chunk prepare(const chunk& part) { return lower_case_ ? lowered_.copy(part) : part; }

  template <class Use>
  void for_each_record(const chunk& prepared, Use&& use) {
    scanner_->for_each_record(prepared, use);
  }

 private:
  std::unique_ptr<word_scanner> scanner_;
  lower_case_copy lowered_;
  bool lower_case_;
};

}  // namespace duomap::cpu
