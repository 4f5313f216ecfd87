// Tests that streams are read in blocks of whole records.
#include "core/input/block_reader.hpp"

#include "core/error.hpp"
#include "core/sanitizer.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

using namespace duomap;
using test::boundaries;
using test::separator_boundary;
using test::text_stream;

namespace {

/// Returns all blocks of a stream. Checks their offsets and their padding.
std::vector<std::string> blocks_of(block_reader& reader, block& reused) {
  std::vector<std::string> blocks;
  std::uint64_t offset = 0;
  while (reader.next(reused)) {
    REQUIRE(reused.size() > 0);
    REQUIRE(reused.offset() == offset);
    REQUIRE(std::all_of(reused.data() + reused.size(), reused.data() + reused.size() + read_padding,
                        [](char c) { return c == 0; }));
    offset += reused.size();
    blocks.emplace_back(reused.bytes().text());
  }
  REQUIRE(reused.size() == 0);
  return blocks;
}

std::vector<std::string> blocks_of(const std::string& text, const boundary& records, std::uint64_t target) {
  block_reader reader(std::make_unique<text_stream>(text), records, target);
  block reused;
  return blocks_of(reader, reused);
}

}  // namespace

TEST_CASE("blocks of every target size give every record once", "[input][block_reader]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  block reused;
  for (const separator_boundary& boundary : boundaries()) {
    for (std::size_t size = 0; size <= 70; ++size) {
      const std::string text = test::random_text(random, size);
      CAPTURE(text);
      for (std::uint64_t target = 1; target <= 20; ++target) {
        CAPTURE(target);
        block_reader reader(std::make_unique<text_stream>(text, UINT64_MAX, &random), boundary, target);
        std::vector<std::string> records;
        for (const std::string& one : blocks_of(reader, reused)) {
          for (std::string& record : boundary.records(one)) {
            records.push_back(std::move(record));
          }
        }
        REQUIRE(records == boundary.records(text));
      }
    }
  }
}

TEST_CASE("blocks end behind the last whole record", "[input][block_reader]") {
  const separator_boundary lines("\n");
  using pieces = std::vector<std::string>;
  CHECK(blocks_of("", lines, 8).empty());
  CHECK(blocks_of("abc", lines, 8) == pieces{"abc"});
  CHECK(blocks_of("abc\n", lines, 4) == pieces{"abc\n"});
  CHECK(blocks_of("abc\n", lines, 8) == pieces{"abc\n"});
  CHECK(blocks_of("abc\nd", lines, 4) == pieces{"abc\n", "d"});
  CHECK(blocks_of("a\nb\nc\nd\n", lines, 5) == pieces{"a\nb\n", "c\nd\n"});
  CHECK(blocks_of("a\n\n\n\nb", lines, 3) == pieces{"a\n\n", "\n\n", "b"});
  // Blocks of 3, 6 or 12 bytes would hold no whole record; a block of 24 bytes does.
  CHECK(blocks_of("a long record\nb\nc\nd\nefghijk\nl", lines, 3) ==
        pieces{"a long record\nb\nc\nd\n", "efghijk\n", "l"});
}

TEST_CASE("a block is filled to its target however short the reads are", "[input][block_reader]") {
  const separator_boundary lines("\n");
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "line\n";
  }
  block_reader reader(std::make_unique<text_stream>(text, 1), lines, 500);
  block reused;
  const std::vector<std::string> blocks = blocks_of(reader, reused);
  CHECK(blocks.size() == 10);
}

TEST_CASE("a record much longer than the target costs time in proportion", "[input][block_reader]") {
  constexpr std::uint64_t size = 3'000'000;
  const separator_boundary lines("\n");
  const std::string text = "ab\n" + std::string(size, 'x') + "\ncd\n";
  block_reader reader(std::make_unique<text_stream>(text), lines, 16);
  block reused;
  std::string all;
  for (const std::string& one : blocks_of(reader, reused)) {
    all += one;
  }
  CHECK(all == text);
  CHECK(lines.looked_at() <= 2 * text.size());
  CHECK(reused.capacity() <= 2 * text.size());
}

TEST_CASE("records longer than the target in a row keep the cost in proportion", "[input][block_reader]") {
  const separator_boundary lines("\n");
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += std::string(150, 'x') + "\n";
  }
  block_reader reader(std::make_unique<text_stream>(text), lines, 100);
  block reused;
  std::string all;
  for (const std::string& one : blocks_of(reader, reused)) {
    CHECK(one.size() <= 2 * 151);
    all += one;
  }
  CHECK(all == text);
  CHECK(lines.looked_at() <= 4 * text.size());
}

TEST_CASE("a block keeps its memory from reader to reader", "[input][block_reader]") {
  const separator_boundary lines("\n");
  block reused;
  block_reader first(std::make_unique<text_stream>("a\nb\n"), lines, 1000);
  REQUIRE(first.next(reused));
  const char* const memory = reused.data();
  block_reader second(std::make_unique<text_stream>("c\n"), lines, 1000);
  REQUIRE(second.next(reused));
  CHECK(reused.data() == memory);
  CHECK(reused.offset() == 0);
  CHECK(reused.records(5).source == 5);
  CHECK(reused.records(5).bytes().text() == "c\n");
}

TEST_CASE("an error of the stream reaches the reader's caller", "[input][block_reader]") {
  class broken final : public byte_stream {
   public:
    std::uint64_t read(char* into, std::uint64_t) override {
      if (given_) {
        throw input_error("broken at byte 1");
      }
      given_ = true;
      *into = 'a';
      return 1;
    }

   private:
    bool given_ = false;
  };
  const separator_boundary lines("\n");
  block_reader reader(std::make_unique<broken>(), lines, 10);
  block reused;
  CHECK_THROWS_AS(reader.next(reused), input_error);
}

// An allocator of a sanitizer ends the program when memory is short, instead of failing.
#if !DUOMAP_ADDRESS_SANITIZER && !DUOMAP_THREAD_SANITIZER
TEST_CASE("a record that does not fit into memory is an error that names it", "[input][block_reader]") {
  // An endless stream whose bytes are never written, so the test needs address space but no memory.
  class endless final : public byte_stream {
   public:
    std::uint64_t read(char*, std::uint64_t capacity) override { return capacity; }
  };
  class never final : public boundary {
   public:
    [[nodiscard]] std::uint64_t first_start(byte_view, std::uint64_t, std::uint64_t limit) const override {
      return limit;
    }
    [[nodiscard]] std::uint64_t last_start(byte_view) const override { return 0; }
    [[nodiscard]] std::uint64_t grain() const override { return 1; }
  };
  const never none;
  block_reader reader(std::make_unique<endless>(), none, 1 << 20, "'endless.txt'");
  block reused;
  CHECK_THROWS_MATCHES(reader.next(reused), out_of_memory,
                       Catch::Matchers::Predicate<out_of_memory>([](const out_of_memory& e) {
                         const std::string what = e.what();
                         return what.find("'endless.txt'") != std::string::npos &&
                                what.find("bytes long") != std::string::npos;
                       }));
}
#endif

namespace duomap::test::core_input_block_reader_test {

namespace {

/// A stream that gives its text in parts of up to `most` bytes, except for every fourth piece, which callers
/// must read. Reading a part that holds '!' fails.
class stream_of_parts final : public byte_stream {
 public:
  stream_of_parts(std::string text, std::uint64_t most) : text_(std::move(text)), most_(most) {}

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    const std::string piece = text_.substr(at_, std::min(capacity, piece_end() - at_));
    std::copy(piece.begin(), piece.end(), into);
    at_ += piece.size();
    return piece.size();
  }

  std::unique_ptr<stream_part> take_part(std::uint64_t wanted) override {
    if (at_ % most_ != 0 || at_ / most_ % 4 == 3 || at_ == text_.size()) return nullptr;
    std::string piece;
    do {
      piece += text_.substr(at_, piece_end() - at_);
      at_ = piece_end();
    } while (piece.size() < wanted && at_ / most_ % 4 != 3 && at_ < text_.size());
    return std::make_unique<part>(std::move(piece));
  }

 private:
  class part final : public stream_part {
   public:
    explicit part(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] std::uint64_t most_bytes() const noexcept override { return text_.size() + 1; }
    std::uint64_t read(char* into) override {
      if (text_.find('!') != std::string::npos) throw input_error("no such part: " + text_);
      std::copy(text_.begin(), text_.end(), into);
      return text_.size();
    }

   private:
    std::string text_;
  };

  [[nodiscard]] std::uint64_t piece_end() const {
    return std::min<std::uint64_t>(text_.size(), (at_ / most_ + 1) * most_);
  }

  std::string text_;
  std::uint64_t most_;
  std::uint64_t at_ = 0;
};

/// Cuts behind '\n'. Threads may share it, unlike separator_boundary, which counts.
class line_boundary final : public boundary {
 public:
  [[nodiscard]] std::uint64_t first_start(byte_view, std::uint64_t from, std::uint64_t) const override {
    return from;
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const override {
    return block.text().rfind('\n') + 1;
  }
  [[nodiscard]] std::uint64_t grain() const override { return 1; }
};

/// Several threads read a stream; returns their blocks by offset. Throws the exception of one of them.
std::map<std::uint64_t, std::string> blocks_by_threads(block_reader& reader, unsigned threads) {
  std::mutex mutex;
  std::map<std::uint64_t, std::string> blocks;
  std::exception_ptr failure;
  std::mutex at_reader;
  bool ended = false;
  const auto work = [&] {
    block bytes;
    for (;;) {
      std::unique_lock alone(at_reader);
      if (ended) return;
      try {
        const bool found = reader.next(bytes, [&] { alone.unlock(); });
        if (alone.owns_lock()) ended = !found;
        if (!found) continue;
        const std::lock_guard lock(mutex);
        blocks.emplace(bytes.offset(), bytes.bytes().text());
      } catch (const input_error&) {
        if (!alone.owns_lock()) alone.lock();
        ended = true;
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
        return;
      }
    }
  };
  {
    std::vector<std::jthread> all;
    for (unsigned i = 0; i < threads; ++i) all.emplace_back(work);
  }
  if (failure) std::rethrow_exception(failure);
  return blocks;
}

}  // namespace

TEST_CASE("threads that read parts of a stream get every record once", "[input][block_reader]") {
  std::mt19937 random(test::seed());
  const line_boundary lines;
  for (int round = 0; round < 60; ++round) {
    const std::string text = test::random_text(random, random() % 3000);
    CAPTURE(text);
    const std::uint64_t most = 1 + random() % 200;
    const std::uint64_t target = 1 + random() % 300;
    block_reader reader(std::make_unique<stream_of_parts>(text, most), lines, target);
    std::string all;
    for (const auto& [offset, bytes] : blocks_by_threads(reader, 3)) {
      REQUIRE(offset == all.size());
      all += bytes;
      REQUIRE((all.size() == text.size() || all.back() == '\n'));
    }
    CHECK((all == text));
  }
}

TEST_CASE("the first part that cannot be read is the one that threads report", "[input][block_reader]") {
  const line_boundary lines;
  for (int round = 0; round < 20; ++round) {
    block_reader reader(std::make_unique<stream_of_parts>("aa\nb!\nc!\ndd\ne!\nf!\n", 3), lines, 1);
    CHECK_THROWS_WITH(blocks_by_threads(reader, 3), "no such part: b!\n");
  }
}

TEST_CASE("a record of many parts costs time in proportion", "[input][block_reader]") {
  constexpr std::uint64_t size = 300'000;
  const separator_boundary lines("\n");
  const std::string text = "ab\n" + std::string(size, 'x') + "\ncd\n";
  block_reader reader(std::make_unique<stream_of_parts>(text, 100), lines, 50);
  std::string all;
  for (const auto& [offset, bytes] : blocks_by_threads(reader, 1)) all += bytes;
  CHECK((all == text));
  CHECK(lines.looked_at() <= 3 * text.size());
}

TEST_CASE("blocks without a size or a stream are bugs of the caller", "[input][block_reader]") {
  const separator_boundary lines("\n");
  CHECK_THROWS_AS(block_reader(nullptr, lines, 10), std::logic_error);
  CHECK_THROWS_AS(block_reader(std::make_unique<text_stream>("a"), lines, 0), std::logic_error);
}

TEST_CASE("a block keeps its bytes when it grows", "[input][block]") {
  block b;
  b.reserve(3);
  std::copy_n("abc", 3, b.data());
  b.reserve(100'000);
  b.resize(3);
  CHECK(b.bytes().text() == "abc");
  CHECK(b.capacity() == 100'000);
  b.reserve(10);
  CHECK(b.capacity() == 100'000);
  CHECK_THROWS_AS(b.resize(100'001), std::logic_error);
}

}  // namespace duomap::test::core_input_block_reader_test
