// Recognises byte order marks, and converts UTF-16 and UTF-32 with iconv.
#include "core/input/text_encoding.hpp"

#include "core/error.hpp"
#include "core/input/read_ahead.hpp"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap {

namespace {

struct known_mark {
  std::string_view bytes;
  text_encoding encoding;
  const char* name;  // the encoding's name for iconv
};

// The longer of two marks that begin alike must come first.
constexpr std::array<known_mark, 5> known_marks{{
    {{"\xef\xbb\xbf", 3}, text_encoding::as_it_is, "UTF-8"},
    {{"\xff\xfe\0\0", 4}, text_encoding::utf32_le, "UTF-32LE"},
    {{"\0\0\xfe\xff", 4}, text_encoding::utf32_be, "UTF-32BE"},
    {{"\xff\xfe", 2}, text_encoding::utf16_le, "UTF-16LE"},
    {{"\xfe\xff", 2}, text_encoding::utf16_be, "UTF-16BE"},
}};

const known_mark& mark_for(text_encoding encoding) {
  return *std::ranges::find(known_marks, encoding, &known_mark::encoding);
}

class converted_stream final : public byte_stream {
 public:
  converted_stream(std::unique_ptr<byte_stream> text, text_encoding encoding, std::string name)
    : text_(std::move(text)),
      encoding_(mark_for(encoding).name),
      name_(std::move(name)),
      converter_(::iconv_open("UTF-8", encoding_)) {
    if (converter_ == reinterpret_cast<::iconv_t>(-1)) {
      throw input_error("cannot read " + name_ + ": it is " + encoding_ +
                        ", which the C library of this system does not convert; convert it to UTF-8 first");
    }
    text_.require(mark_bytes);
    text_.consume(mark_for(encoding).bytes.size());
  }
  converted_stream(const converted_stream&) = delete;
  converted_stream& operator=(const converted_stream&) = delete;
  ~converted_stream() override { ::iconv_close(converter_); }

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    expects(capacity > 0, "a read of no bytes looks like the end of the stream");
    while (given_ == size_) {
      if (!convert_more()) return 0;
    }
    const std::uint64_t count = std::min(capacity, size_ - given_);
    std::memcpy(into, utf8_.data() + given_, count);
    given_ += count;
    return count;
  }

 private:
  /// Fills utf8_ with the next characters; false at the end of the text.
  bool convert_more() {
    constexpr std::uint64_t longest_character = 4;
    const byte_view ready = text_.require(longest_character);
    if (ready.empty()) return false;
    char* in = const_cast<char*>(ready.data);  // iconv declares it so, but does not write there
    std::size_t left = ready.size;
    char* out = utf8_.data();
    std::size_t room = utf8_.size();
    if (::iconv(converter_, &in, &left, &out, &room) == static_cast<std::size_t>(-1) && errno != E2BIG &&
        (errno == EILSEQ || left == ready.size)) {
      fail(text_.position() + ready.size - left);
    }
    text_.consume(ready.size - left);
    given_ = 0;
    size_ = utf8_.size() - room;
    return true;
  }

  [[noreturn]] void fail(std::uint64_t position) const {
    throw input_error("cannot read " + name_ + ": at byte " + std::to_string(position) +
                      " of its text is no character of " + encoding_ +
                      ", of which it has the byte order mark; get the file again, or convert it to UTF-8");
  }

  // The most bytes that iconv writes at a time.
  static constexpr std::size_t utf8_bytes = std::size_t{64} << 10;

  read_ahead text_;
  const char* encoding_;
  std::string name_;
  ::iconv_t converter_;
  std::vector<char> utf8_ = std::vector<char>(utf8_bytes);
  std::uint64_t given_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace

byte_order_mark mark_of(byte_view first) noexcept {
  for (const known_mark& mark : known_marks) {
    if (first.text().starts_with(mark.bytes)) return {mark.encoding, mark.bytes.size()};
  }
  return {};
}

void refuse_unmarked(byte_view first, const std::string& name) {
  constexpr std::uint64_t looked_at = 10;
  constexpr std::uint64_t least = 4;
  const std::uint64_t size = std::min(first.size, looked_at) / 2 * 2;
  if (size < least) return;
  const auto is_ascii_beside_zeros = [&](std::uint64_t zeros_at) {
    for (std::uint64_t i = 0; i < size; i += 2) {
      const char c = first.data[i + 1 - zeros_at];
      const bool printable = (c >= ' ' && c <= '~') || c == '\t' || c == '\n' || c == '\r';
      if (first.data[i + zeros_at] != 0 || !printable) return false;
    }
    return true;
  };
  const bool little_endian = is_ascii_beside_zeros(1);
  if (!little_endian && !is_ascii_beside_zeros(0)) return;
  const std::string encoding = little_endian ? "UTF-16LE" : "UTF-16BE";
  throw input_error("cannot read " + name + ": it is text in " + encoding +
                    " without a byte order mark; convert it first with iconv -f " + encoding + " -t UTF-8");
}

std::unique_ptr<byte_stream> utf8_stream(std::unique_ptr<byte_stream> text, text_encoding encoding,
                                         std::string name) {
  return std::make_unique<converted_stream>(std::move(text), encoding, std::move(name));
}

}  // namespace duomap
