// Decodes numbers and bytes, and refuses damaged ones.
#include "core/partial/stored/encoding.hpp"

#include "core/error.hpp"

namespace duomap {

std::uint64_t decoder::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(*raw(1).data);
    const std::uint64_t bits = byte & 0x7Fu;
    if (shift == 63 && bits > 1) break;
    value |= bits << shift;
    if (byte < 0x80) return value;
  }
  refuse("a number has more than 64 bits");
}

std::uint64_t decoder::number(std::uint64_t most) {
  const std::uint64_t value = number();
  if (value > most)
    refuse("a number is " + std::to_string(value) + ", at most " + std::to_string(most) + " is possible");
  return value;
}

std::uint64_t decoder::count(std::uint64_t bytes_each) {
  const std::uint64_t value = number();
  if (value > rest_.size / bytes_each)
    refuse("it promises " + std::to_string(value) + " entries and has " + std::to_string(rest_.size) +
           " bytes left");
  return value;
}

byte_view decoder::raw(std::uint64_t size) {
  if (size > rest_.size) refuse("it ends " + std::to_string(size - rest_.size) + " bytes too early");
  const byte_view taken{rest_.data, size};
  rest_ = {rest_.data + size, rest_.size - size};
  return taken;
}

void decoder::expect_end() const {
  if (rest_.size > 0) refuse(std::to_string(rest_.size) + " bytes are left behind its end");
}

void decoder::refuse(const std::string& why) const {
  throw input_error(what_ + " is damaged: " + why + "; make this partial again");
}

}  // namespace duomap
