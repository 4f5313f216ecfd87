// Packs bits, and narrows the days of dates, which Arrow stores in 32 bits.
#include "arrow_made_buffers.hpp"

#include <cstring>

namespace duomap::python {
namespace {

template <class Bit>
std::vector<std::uint8_t> packed(std::uint64_t rows, const Bit& bit) {
  std::vector<std::uint8_t> bits((rows + 7) / 8, 0);
  for (std::uint64_t row = 0; row < rows; ++row)
    if (bit(row)) bits[row / 8] |= static_cast<std::uint8_t>(1u << (row % 8));
  return bits;
}

}  // namespace

made_buffers make_buffers(const column& from) {
  made_buffers made;
  if (!from.missing.empty()) {
    made.valid = packed(from.missing.size(), [&](std::uint64_t row) { return !from.missing[row]; });
    for (const bool missing : from.missing) made.nulls += missing ? 1 : 0;
  }
  made.replaces_values = from.meaning == "b" || from.meaning == "tdD";
  if (!made.replaces_values) return made;
  const auto& values = std::get<std::vector<std::int64_t>>(from.values);
  if (from.meaning == "b") {
    made.values = packed(values.size(), [&](std::uint64_t row) { return values[row] != 0; });
    return made;
  }
  made.values.resize(values.size() * sizeof(std::int32_t));
  for (std::size_t row = 0; row < values.size(); ++row) {
    const auto day = static_cast<std::int32_t>(values[row]);
    std::memcpy(made.values.data() + row * sizeof day, &day, sizeof day);
  }
  return made;
}

}  // namespace duomap::python
