// Which scanner a CPU worker uses for a record format.
#pragma once

#include "core/chunk.hpp"
#include "core/record/words.hpp"
#include "cpu/features.hpp"
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

  /// Calls begin(chunk) with the chunk whose bytes the records will point into, then use(record) for each
  /// record, in order.
  template <class Begin, class Use>
  void scan(const chunk& part, Begin&& begin, Use&& use) {
    begin(part);
    format_.for_each_record(part, use);
  }

 private:
  Format format_;
};

/// Words: vector instructions, and a lower-cased copy of the chunk when the format asks for it.
template <>
class scanner_for<words> {
 public:
  explicit scanner_for(const words& format)
    : scanner_(std::make_unique<word_scanner>(active_vector_path())), lower_case_(format.lower_case) {}

  template <class Begin, class Use>
  void scan(const chunk& part, Begin&& begin, Use&& use) {
    const chunk seen = lower_case_ ? lowered_.copy(part) : part;
    begin(seen);
    scanner_->for_each_record(seen, use);
  }

 private:
  std::unique_ptr<word_scanner> scanner_;
  lower_case_copy lowered_;
  bool lower_case_;
};

}  // namespace duomap::cpu
