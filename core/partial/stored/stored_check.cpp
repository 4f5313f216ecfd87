// Checks indices and places of a stored partial against the input.
#include "core/partial/stored/stored_check.hpp"

#include "core/partial/covered_input.hpp"
#include "core/partial/stored/encoding.hpp"
#include "core/path_problem.hpp"

#include <limits>

namespace duomap {

void stored_check::index(const char* what, std::uint64_t number, std::uint64_t count) const {
  if (number >= count)
    refuse(std::string(what) + " is " + std::to_string(number) + ", and there are " + std::to_string(count));
}

void stored_check::place(std::uint64_t source, std::uint64_t offset, std::uint64_t size) const {
  index("a source's number", source, whole_.sources().size());
  const covered_input::source& one = whole_.sources()[source];
  const std::uint64_t end = one.stream ? std::numeric_limits<std::uint64_t>::max() : one.units;
  if (offset > end || size > end - offset)
    refuse("it names " + std::to_string(size) + " bytes at byte " + std::to_string(offset) + " of " +
           quoted(one.name) + ", which has " + std::to_string(end));
}

void stored_check::refuse(const std::string& why) const { from_.refuse(why); }

}  // namespace duomap
