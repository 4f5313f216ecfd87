// Checks the numbers of a stored partial. A task's check_stored() uses this class.
// host only
#pragma once

#include "core/text_place.hpp"

#include <cstdint>
#include <string>

namespace duomap {

class covered_input;
class decoder;

/// Refuses numbers of a stored partial that lie outside their range. A forged partial has right checksums, so
/// any number may be wrong, and must be checked before it is used as an index. A failed check throws an
/// input_error that names the file.
class stored_check {
 public:
  /// Checks the numbers that `from` decodes. `whole` is the partial's input. Both must outlive this object.
  stored_check(const decoder& from, const covered_input& whole) : from_(from), whole_(whole) {}

  /// Refuses a `number` that is not below `count`. `what` names it in the message: "a pattern's number".
  void index(const char* what, std::uint64_t number, std::uint64_t count) const;
  /// Refuses a source that the input does not have, and bytes that lie outside the source. In a stream any
  /// bytes pass, because the size of a stream is not known.
  void place(std::uint64_t source, std::uint64_t offset, std::uint64_t size = 0) const;
  void place(const text_place& text) const { place(text.source, text.offset, text.size); }
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  const decoder& from_;
  const covered_input& whole_;
};

}  // namespace duomap
