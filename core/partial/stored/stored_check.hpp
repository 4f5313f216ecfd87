// Checks the numbers of a stored partial, for a task's check_stored().
// host only
#pragma once

#include "core/text_place.hpp"

#include <cstdint>
#include <string>

namespace duomap {

class covered_input;
class decoder;

/// Refuses numbers of a stored partial that lie outside their range. Whoever made the partial also made its
/// checksums, so a number may be anything, and code that uses it as an index must check it first. A check
/// that fails is an input_error that names the file.
class stored_check {
 public:
  /// Checks the numbers that `from` decodes from a partial of the input `whole`. Both must outlive this
  /// object.
  stored_check(const decoder& from, const covered_input& whole) : from_(from), whole_(whole) {}

  /// Refuses a `number` that is not below `count`. `what` names it in the message: "a pattern's number".
  void index(const char* what, std::uint64_t number, std::uint64_t count) const;
  /// Refuses a source that the input lacks, and bytes that the source lacks. The number of bytes of a stream
  /// is not known, so any bytes of it pass.
  void place(std::uint64_t source, std::uint64_t offset, std::uint64_t size = 0) const;
  void place(const text_place& text) const { place(text.source, text.offset, text.size); }
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  const decoder& from_;
  const covered_input& whole_;
};

}  // namespace duomap
