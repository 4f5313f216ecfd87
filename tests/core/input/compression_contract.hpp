// The contract of every compressed format, as tests. A test file instantiates them for its codec:
// struct codec {
// static constexpr const char* name;               the format's name in messages
// static std::vector<int> levels();                a fast, a usual and a slow one
// static std::string compress(text, level = a usual one);      one member of a file
// static std::unique_ptr<byte_stream> open(std::unique_ptr<byte_stream> stored, std::string name);
// static std::vector<std::string> strangers();     bytes that must not follow a member
// static std::string program(path);                a shell command that compresses the text of PATH, then
// "more", to PATH.SUFFIX; empty without such a program
// static constexpr const char* suffix;
// static constexpr std::size_t header_bytes;       bytes of a member that may change without effect
// };
#pragma once

#include "core/error.hpp"
#include "core/input/source.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>

namespace duomap::test {

/// Reads another stream part by part, and the rest of it, which has no parts, directly.
class by_parts final : public byte_stream {
 public:
  explicit by_parts(std::unique_ptr<byte_stream> stream) : stream_(std::move(stream)) {}

  /// Whether the other stream gave any part.
  [[nodiscard]] bool any() const { return any_; }

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    while (given_ == text_.size()) {
      const std::unique_ptr<stream_part> part = stream_->take_part(1);
      if (!part) return stream_->read(into, capacity);
      any_ = true;
      given_ = 0;
      text_.resize(part->most_bytes());
      text_.resize(part->read(text_.data()));
    }
    const std::uint64_t count = std::min<std::uint64_t>(capacity, text_.size() - given_);
    std::copy_n(text_.data() + given_, count, into);
    given_ += count;
    return count;
  }

 private:
  std::unique_ptr<byte_stream> stream_;
  std::string text_;
  std::uint64_t given_ = 0;
  bool any_ = false;
};

/// The first half is hard to compress, the second half is easy.
inline std::string compressible_text(std::size_t size) {
  std::mt19937 random(seed());
  return random_text(random, size / 2) + std::string(size - size / 2, 'z');
}

/// Decompresses `stored`, of which the decoder gets at most `most` bytes per read.
template <class Codec>
std::string decompress(const std::string& stored, std::uint64_t capacity = 4096,
                       std::uint64_t most = UINT64_MAX) {
  const std::unique_ptr<byte_stream> stream =
      Codec::open(std::make_unique<text_stream>(stored, most), "'file'");
  return drain(*stream, capacity);
}

template <class Codec>
struct compression_contract {
  static void every_size_is_read() {
    for (const std::size_t size : {0U, 1U, 2U, 31U, 4096U, 32'768U, 131'072U, 700'001U}) {
      const std::string text = compressible_text(size);
      for (const int level : Codec::levels()) {
        const std::string stored = Codec::compress(text, level);
        for (const std::uint64_t capacity : {7U, 65'536U, 1'000'000U}) {
          CAPTURE(size, level, capacity);
          CHECK((decompress<Codec>(stored, capacity) == text));
        }
      }
    }
  }

  static void bytes_may_come_one_by_one() {
    const std::string text = compressible_text(3000);
    CHECK(
        (decompress<Codec>(Codec::compress(text) + Codec::compress("and more"), 1, 1) == text + "and more"));
  }

  static void members_are_one_text() {
    std::string stored;
    std::string text;
    for (const std::size_t size : {0U, 5U, 0U, 0U, 300'000U, 1U, 0U}) {
      text += compressible_text(size);
      stored += Codec::compress(compressible_text(size));
    }
    CHECK((decompress<Codec>(stored) == text));
  }

  static void cut_anywhere_is_an_error() {
    const std::string stored = Codec::compress(compressible_text(200));
    CHECK_THROWS_WITH(decompress<Codec>(""),
                      contains("'file': it is empty, not " + std::string(Codec::name)));
    for (std::size_t size = 1; size < stored.size(); ++size) {
      CAPTURE(size);
      CHECK_THROWS_AS(decompress<Codec>(stored.substr(0, size)), input_error);
      CHECK_THROWS_WITH(decompress<Codec>(stored.substr(0, size)),
                        contains("'file': it is truncated, it ends at byte " + std::to_string(size) + " "));
      // Now the second member is damaged. The message must count its place from the start of the file.
      const std::string two = stored + stored.substr(0, size);
      CHECK_THROWS_WITH(decompress<Codec>(two),
                        contains("it ends at byte " + std::to_string(two.size()) + " "));
    }
  }

  static void wrong_bit_is_found_or_means_nothing() {
    const std::string text = compressible_text(200);
    const std::string stored = Codec::compress(text);
    std::size_t found = 0;
    for (std::size_t bit = 0; bit < 8 * stored.size(); ++bit) {
      CAPTURE(bit);
      std::string wrong = stored;
      wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << bit % 8));
      std::string read;
      try {
        read = decompress<Codec>(wrong);
      } catch (const input_error&) {
        ++found;
        continue;
      }
      CHECK((read == text));  // the bit has no effect, such as a bit of gzip's time stamp
    }
    CHECK(found >= 8 * (stored.size() - Codec::header_bytes));
  }

  static void what_follows_is_an_error() {
    const std::string stored = Codec::compress("some text");
    for (const std::string& rest : Codec::strangers()) {
      CAPTURE(rest);
      CHECK_THROWS_WITH(
          decompress<Codec>(stored + rest),
          contains("'file': at byte " + std::to_string(stored.size()) + " something that is not"));
    }
  }

  static void another_format_is_an_error() {
    for (const std::string& stored : {std::string("plain text"), std::string("x"), std::string("PK\x03\x04"),
                                      std::string("\x1f\x9d compress"), std::string(100, '\0')}) {
      CHECK_THROWS_WITH(decompress<Codec>(stored), contains("'file': it does not begin like " +
                                                            std::string(Codec::name) + " at byte 0"));
    }
  }

  static void error_of_the_stored_file_is_passed_on() {
    class broken final : public byte_stream {
     public:
      std::uint64_t read(char*, std::uint64_t) override { throw input_error("no more disk"); }
    };
    const std::unique_ptr<byte_stream> stream = Codec::open(std::make_unique<broken>(), "'file'");
    char byte = 0;
    CHECK_THROWS_WITH(stream->read(&byte, 1), "no more disk");
  }

  static void files_of_the_program_are_read() {
    const temporary_folder folder;
    const std::string text = compressible_text(300'000);
    const std::string path = folder.write("a file", text);
    const std::string command = Codec::program("'" + path + "'");
    if (command.empty()) {
      WARN("skipped: there is no " << Codec::name << " program");
      return;
    }
    REQUIRE(std::system(command.c_str()) == 0);
    std::ifstream file(path + Codec::suffix, std::ios::binary);
    const std::string stored{std::istreambuf_iterator<char>(file), {}};
    CHECK((decompress<Codec>(stored) == text + "more"));
  }
};

}  // namespace duomap::test

/// Defines the test cases of a format; `format` and `tag` are string literals.
#define DUOMAP_COMPRESSION_CONTRACT(format, tag, codec)                                                  \
  using contract = duomap::test::compression_contract<codec>;                                            \
  TEST_CASE(format " files of every size are read", tag) { contract::every_size_is_read(); }             \
  TEST_CASE(format " data may come byte by byte", tag) { contract::bytes_may_come_one_by_one(); }        \
  TEST_CASE(format " members one after another are one text", tag) { contract::members_are_one_text(); } \
  TEST_CASE("a " format " file cut anywhere is an error", tag) { contract::cut_anywhere_is_an_error(); } \
  TEST_CASE("a " format " file with a wrong bit is an error or gives the same text", tag) {              \
    contract::wrong_bit_is_found_or_means_nothing();                                                     \
  }                                                                                                      \
  TEST_CASE("what follows the last member of " format " is an error that names its place", tag) {        \
    contract::what_follows_is_an_error();                                                                \
  }                                                                                                      \
  TEST_CASE("what is not " format " is an error", tag) { contract::another_format_is_an_error(); }       \
  TEST_CASE("an error of the stored " format " file is passed on", tag) {                                \
    contract::error_of_the_stored_file_is_passed_on();                                                   \
  }                                                                                                      \
  TEST_CASE("files of the " format " program are read", tag) { contract::files_of_the_program_are_read(); }
