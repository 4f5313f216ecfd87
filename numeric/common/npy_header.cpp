// Parses and writes the Python dictionary in an array file's header.
#include "numeric/common/npy_header.hpp"

#include "core/error.hpp"
#include "core/text/number.hpp"

#include <optional>
#include <utility>

namespace duomap {
namespace {

constexpr std::uint64_t alignment = 64;

/// Parses the header's text, which is a Python dictionary:
/// {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 784), }
class dictionary_parser {
 public:
  dictionary_parser(byte_view text, const std::string& name) : text_(text), name_(name) {}

  array_header parse() {
    require('{');
    while (!accept('}')) {
      const std::string_view key = read_string();
      require(':');
      if (key == "descr") {
        type_ = read_type();
      } else if (key == "fortran_order") {
        fortran_order_ = read_bool();
      } else if (key == "shape") {
        shape_ = read_shape();
      } else {
        refuse("its header has the unknown key '" + std::string(key) + "'");
      }
      if (!accept(',') && !at('}')) refuse("a comma is missing in its header");
    }
    skip_spaces();
    if (place_ != text_.size) refuse("there is something behind the dictionary in its header");
    if (!type_ || !fortran_order_ || !shape_) refuse("its header lacks descr, fortran_order or shape");
    return {*type_, std::move(*shape_), *fortran_order_, 0};
  }

 private:
  [[noreturn]] void refuse(const std::string& problem,
                           const std::string& cure = "write it again with numpy.save") const {
    throw input_error("cannot read " + name_ + " as a NumPy array: " + problem + "; " + cure);
  }

  void skip_spaces() {
    while (place_ < text_.size && (text_[place_] == ' ' || text_[place_] == '\n')) ++place_;
  }

  [[nodiscard]] bool at(char c) {
    skip_spaces();
    return place_ < text_.size && text_[place_] == c;
  }

  bool accept(char c) {
    if (!at(c)) return false;
    ++place_;
    return true;
  }

  void require(char c) {
    if (!accept(c)) refuse(std::string("there is no '") + c + "' where its header needs one");
  }

  std::string_view read_string() {
    const char quote = at('"') ? '"' : '\'';
    require(quote);
    const std::uint64_t begin = place_;
    while (place_ < text_.size && text_[place_] != quote) ++place_;
    if (place_ == text_.size) refuse("a text in its header has no end");
    return text_.sub(begin, place_++ - begin).text();
  }

  bool read_bool() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.text().substr(place_).starts_with(word)) {
        place_ += word.size();
        return word == "True";
      }
    }
    refuse("its fortran_order is neither True nor False");
  }

  element_type read_type() {
    if (at('[')) refuse("its elements are records", "save each field as an array of its own");
    const std::string_view descr = read_string();
    const std::string shown = "its elements are of type '" + std::string(descr) + "'";
    const std::string wanted = shown + ", and only integers, bool, float32 and float64 are read";
    const std::string cure = "save it again as another type: numpy.save(path, array.astype('float32'))";
    if (descr.size() != 3) refuse(wanted, cure);
    element_type type;
    type.big_endian = descr[0] == '>';
    if (descr[0] != '<' && descr[0] != '>' && descr[0] != '|' && descr[0] != '=') refuse(wanted, cure);
    type.bytes = static_cast<unsigned>(descr[2] - '0');
    const bool integer_size = descr[2] == '1' || descr[2] == '2' || descr[2] == '4' || descr[2] == '8';
    switch (descr[1]) {
      case 'b':
        type.kind = number_kind::unsigned_integer;
        if (type.bytes != 1) refuse(wanted, cure);
        return type;
      case 'u':
        type.kind = number_kind::unsigned_integer;
        if (!integer_size) refuse(wanted, cure);
        return type;
      case 'i':
        type.kind = number_kind::signed_integer;
        if (!integer_size) refuse(wanted, cure);
        return type;
      case 'f':
        type.kind = number_kind::floating;
        if (type.bytes != 4 && type.bytes != 8) refuse(wanted, cure);
        return type;
      default:
        refuse(wanted, cure);
    }
  }

  std::vector<std::uint64_t> read_shape() {
    std::vector<std::uint64_t> shape;
    require('(');
    while (!accept(')')) {
      skip_spaces();
      const parsed<std::uint64_t> size = parse_integer<std::uint64_t>(text_.sub(place_, text_.size - place_));
      if (size.status != parse_status::number) refuse("its shape is not made of numbers");
      place_ += size.used;
      accept('L');  // Python 2 wrote an L behind large numbers
      shape.push_back(size.value);
      if (!accept(',') && !at(')')) refuse("a comma is missing in its shape");
    }
    return shape;
  }

  byte_view text_;
  const std::string& name_;
  std::uint64_t place_ = 0;
  std::optional<element_type> type_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

std::uint64_t little_endian(byte_view bytes) {
  std::uint64_t value = 0;
  for (std::uint64_t i = bytes.size; i > 0; --i)
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  return value;
}

}  // namespace

array_header parse_npy_header(byte_view file, const std::string& name) {
  const auto refuse = [&](const std::string& problem) {
    throw input_error("cannot read " + name + " as a NumPy array: " + problem);
  };
  if (!file.text().starts_with(npy_magic)) refuse("it does not begin as one");
  constexpr std::uint64_t version_at = npy_magic.size();
  constexpr std::uint64_t size_at = version_at + 2;
  if (file.size < size_at) refuse("it ends within its header, after " + std::to_string(file.size) + " bytes");
  const auto version = static_cast<unsigned>(static_cast<unsigned char>(file[version_at]));
  if (version < 1 || version > 3) {
    refuse("its format has version " + std::to_string(version) + ", and only 1, 2 and 3 are known");
  }
  const std::uint64_t size_bytes = version == 1 ? 2 : 4;
  const std::uint64_t text_at = size_at + size_bytes;
  const std::uint64_t text_size = file.size < text_at ? 0 : little_endian(file.sub(size_at, size_bytes));
  if (file.size < text_at || file.size - text_at < text_size) {
    refuse("it ends within its header, after " + std::to_string(file.size) + " bytes");
  }
  array_header header = dictionary_parser(file.sub(text_at, text_size), name).parse();
  header.data_offset = text_at + text_size;
  return header;
}

std::string make_npy_header(std::string_view type, const std::vector<std::uint64_t>& shape) {
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t size : shape) text += std::to_string(size) + ", ";
  if (shape.size() > 1) text.resize(text.size() - 2);
  if (shape.size() == 1) text.pop_back();
  text += "), }";
  constexpr std::uint64_t before_text = npy_magic.size() + 4;
  const std::uint64_t unpadded = before_text + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text += '\n';
  std::string header(npy_magic);
  header += {1, 0, static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace duomap
