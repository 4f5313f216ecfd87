// Decodes the bytes of an IDX header.
#include "numeric/common/idx_header.hpp"

#include "core/error.hpp"

#include <optional>

namespace duomap {
namespace {

constexpr std::uint64_t dimensions_at = 4;

std::optional<element_type> element_of(unsigned char code) {
  switch (code) {
    case 0x08:
      return element_type{number_kind::unsigned_integer, 1, true};
    case 0x09:
      return element_type{number_kind::signed_integer, 1, true};
    case 0x0B:
      return element_type{number_kind::signed_integer, 2, true};
    case 0x0C:
      return element_type{number_kind::signed_integer, 4, true};
    case 0x0D:
      return element_type{number_kind::floating, 4, true};
    case 0x0E:
      return element_type{number_kind::floating, 8, true};
    default:
      return std::nullopt;
  }
}

unsigned char byte_at(byte_view file, std::uint64_t place) { return static_cast<unsigned char>(file[place]); }

}  // namespace

bool begins_as_idx(byte_view file) noexcept {
  return file.size >= dimensions_at && file[0] == 0 && file[1] == 0 && element_of(byte_at(file, 2)) &&
         file[3] != 0;
}

array_header parse_idx_header(byte_view file, const std::string& name) {
  if (!begins_as_idx(file)) {
    throw input_error("cannot read " + name +
                      " as an IDX file: it does not begin with two bytes of 0, a type and a number of "
                      "dimensions; give the file as it was published");
  }
  const std::uint64_t dimensions = byte_at(file, 3);
  array_header header{*element_of(byte_at(file, 2)), {}, false, dimensions_at + 4 * dimensions};
  if (file.size < header.data_offset) {
    throw input_error("cannot read " + name + " as an IDX file: it ends within its header, after " +
                      std::to_string(file.size) + " of " + std::to_string(header.data_offset) +
                      " bytes; fetch it again");
  }
  for (std::uint64_t place = dimensions_at; place < header.data_offset; place += 4) {
    std::uint64_t size = 0;
    for (std::uint64_t i = 0; i < 4; ++i) size = size << 8 | byte_at(file, place + i);
    header.shape.push_back(size);
  }
  return header;
}

}  // namespace duomap
