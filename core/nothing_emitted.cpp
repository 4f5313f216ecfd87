// Finds the first record of an input and shows the record in a note.
#include "core/nothing_emitted.hpp"

#include "core/input/block.hpp"
#include "core/input/block_reader.hpp"
#include "core/input/slice.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <sstream>

namespace duomap {

std::string shown_bytes(byte_view bytes) {
  constexpr std::uint64_t most = 60;
  constexpr char digits[] = "0123456789abcdef";
  std::string shown = "\"";
  for (const char byte : bytes.sub(0, std::min(bytes.size, most)).text()) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x20 && code < 0x7F) {
      shown += byte;
    } else {
      shown += {'\\', 'x', digits[code >> 4U], digits[code & 0xFU]};
    }
  }
  shown += bytes.size > most ? "...\"" : "\"";
  if (!bytes.empty() && bytes[bytes.size - 1] == '\r')
    shown += ", with the carriage return of lines that end with CR LF";
  return shown;
}

std::string shown_numbers(const std::vector<double>& numbers) {
  constexpr std::size_t most = 8;
  std::ostringstream shown;
  shown << '(';
  for (std::size_t i = 0; i < std::min(numbers.size(), most); ++i)
    shown << (i == 0 ? "" : ", ") << numbers[i];
  shown << (numbers.size() > most ? ", ...)" : ")");
  return shown.str();
}

std::string nothing_emitted_text(const input& from, const boundary& records,
                                 const std::function<std::string(const chunk&)>& show) {
  const std::string text = "no record emitted anything";
  for (std::size_t i = 0; i < from.size(); ++i) {
    const source& one = from[i];
    const auto index = static_cast<std::uint32_t>(i);
    std::string first;
    if (one.addressable()) {
      if (one.bytes().data == nullptr) continue;
      if (const auto part = slice(one, index, 0, std::min(records.grain(), one.units()), records))
        first = show(*part);
    } else if (one.opens_again()) {
      block begin;
      block_reader reader(one.open(), records, records.grain(), one.name());
      if (reader.next(begin)) first = show(begin.records(index));
    }
    if (!first.empty()) return text + "; the first of " + quoted(one.name()) + " is " + first;
  }
  return text;
}

}  // namespace duomap
