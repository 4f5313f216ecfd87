// Tests that the chunk source hands out all work as chunks, and each piece of work once.
#include "scheduler/dispatch/chunk_source.hpp"

#include "core/boundary.hpp"
#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/input.hpp"
#include "core/input/mapped_file.hpp"
#include "core/input/resident_input.hpp"
#include "core/record/index_range.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/run_control.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"
#include "tests/scheduler/support.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#if DUOMAP_HAS_ZLIB
#include <zlib.h>
#endif

using namespace duomap;
using scheduler::chunk_source;
using scheduler::chunk_source_options;
using scheduler::grain_range;
using scheduler::interval;
using test::contains;
using test::seen_chunk;
using test::source_set;
using test::space_boundary;

namespace {

/// Takes chunks as one worker does: first blocks of streams, then pieces of claims.
class all_chunks {
 public:
  all_chunks(chunk_source& all, interval& grains, unsigned open_chunks = 1)
    : all_(all), grains_(grains), blocks_(open_chunks) {}

  [[nodiscard]] std::optional<chunk> next() {
    if (all_.stopped()) return std::nullopt;
    if (auto block = all_.next_block(blocks_, false)) return block;
    while (true) {
      if (claimed_.empty()) claimed_ = grains_.take_front(all_.options().most_grains);
      if (claimed_.empty()) return all_.next_block(blocks_, true);
      const chunk_source::part part = all_.cut(claimed_);
      // Several threads run this code, and REQUIRE works on one thread only.
      if (part.grains.begin != claimed_.begin || part.grains.empty())
        throw std::logic_error("a part is not the beginning of its claim");
      claimed_.begin = part.grains.end;
      if (part.records) return part.records;
    }
  }

 private:
  chunk_source& all_;
  interval& grains_;
  chunk_source::taker blocks_;
  grain_range claimed_;
};

/// Lets `threads` threads take all chunks; returns the chunks of all threads.
std::vector<seen_chunk> take_all(chunk_source& all, unsigned threads) {
  interval grains(all.grains());
  std::vector<std::vector<seen_chunk>> taken(threads);
  {
    std::vector<std::jthread> takers;
    for (unsigned i = 0; i < threads; ++i) {
      takers.emplace_back([&, i] {
        all_chunks mine(all, grains);
        while (const auto part = mine.next()) taken[i].push_back(test::see(*part));
      });
    }
  }
  std::vector<seen_chunk> chunks;
  for (auto& some : taken) chunks.insert(chunks.end(), some.begin(), some.end());
  return chunks;
}

chunk_source_options random_options(std::mt19937& random) {
  return {.most_grains = 1 + static_cast<std::uint32_t>(random() % 16),
          .block_bytes = 1 + random() % 200,
          .readers = static_cast<unsigned>(random() % 4)};
}

}  // namespace

TEST_CASE("chunks tile all sources, whatever they are and whoever takes them", "[work]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 150; ++round) {
    source_set sources;
    sources.add_random(random, 12, round % 10 == 0 ? 5000 : 300);
    const input from = sources.take();
    const space_boundary records(1 + random() % 40);
    const unsigned threads = 1 + static_cast<unsigned>(random() % 4);
    CAPTURE(round, records.grain(), threads);
    chunk_source all(from, records, random_options(random), nullptr);
    test::require_tiles(take_all(all, threads), sources.contents(), records);
    chunk_source::taker late;
    CHECK_FALSE(all.next_block(late, true));
  }
}

TEST_CASE("chunks of the words format tile a text of several grains", "[work]") {
  std::mt19937 random(test::seed());
  source_set sources;
  sources.add_memory(test::random_text(random, 700'000));
  sources.add_memory("");
  sources.add_memory("a few words");
  sources.add_stream(test::random_text(random, 100'000));
  const input from = sources.take();
  const format_boundary<words> records{words{}};
  chunk_source all(from, records, chunk_source_options{}, nullptr);
  test::require_tiles(take_all(all, 3), sources.contents(), records);
}

#if DUOMAP_HAS_ZLIB
TEST_CASE("compressed, small and mapped files are tiled together", "[work]") {
  std::mt19937 random(test::seed());
  const test::temporary_folder folder;
  std::vector<std::string> contents;
  std::vector<std::string> paths;
  for (int i = 0; i < 12; ++i) {
    std::string text(random() % 200'000, ' ');
    for (char& c : text) c = random() % 6 == 0 ? ' ' : 'w';
    if (i == 5) text.clear();
    paths.push_back(folder.path("file" + std::to_string(i) + (i % 2 == 0 ? ".gz" : ".txt")));
    if (i % 2 == 0) {
      const gzFile file = gzopen(paths.back().c_str(), "wb");
      REQUIRE(file != nullptr);
      REQUIRE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())) ==
              static_cast<int>(text.size()));
      REQUIRE(gzclose(file) == Z_OK);
    } else {
      static_cast<void>(folder.write("file" + std::to_string(i) + ".txt", text));
    }
    contents.push_back(std::move(text));
  }
  const input from = open_input(paths);
  const space_boundary records(1000);
  chunk_source all(from, records, chunk_source_options{.block_bytes = 10'000}, nullptr);
  test::require_tiles(take_all(all, 4), contents, records);
}
#endif

namespace duomap::test::scheduler_chunk_source_test {

TEST_CASE("binary records are refused of what was opened as text and has a mark", "[work]") {
  const test::temporary_folder folder;
  const format_boundary<rows<std::uint32_t>> binary{rows<std::uint32_t>{.width = 1}};
  const space_boundary words(1000);
  const auto read_all = [](const input& from, const boundary& records) {
    chunk_source all(from, records, chunk_source_options{}, nullptr);
    interval grains(all.grains());
    all_chunks mine(all, grains);
    std::uint64_t bytes = 0;
    while (const auto part = mine.next()) bytes += part->size;
    return bytes;
  };
  // The small file is read as a stream, the large one is mapped.
  for (const std::size_t size : {std::size_t{8}, std::size_t{map_threshold} + 4}) {
    for (const std::string mark : {"\xef\xbb\xbf", "\xff\xfe"}) {
      const std::string path = folder.write("file", mark + std::string(size - mark.size(), 'a'));
      CHECK_THROWS_WITH(read_all(open_input({path}), binary), contains("duomap::input_content::records"));
      CHECK_THROWS_WITH(resident_input(open_input({path}), true), contains("duomap::input_content::records"));
      CHECK(read_all(open_input({path}, input_content::records), binary) == size);
      CHECK(read_all(open_input({path}), words) > 0);
    }
  }
}

TEST_CASE("indices are handed out like bytes", "[work]") {
  for (const std::uint64_t count : {0U, 1U, 2U, 1023U, 1024U, 1025U, 100'000U}) {
    const input from = index_input(count);
    const format_boundary<index_range> records{index_range{}};
    chunk_source all(from, records, chunk_source_options{}, nullptr);
    CHECK(all.known_units() == count);
    std::uint64_t next = 0;
    interval grains(all.grains());
    all_chunks mine(all, grains);
    while (const auto part = mine.next()) {
      CHECK(part->data == nullptr);
      CHECK(part->offset == next);
      CHECK(part->size > 0);
      next += part->size;
    }
    CHECK(next == count);
  }
}

TEST_CASE("streams come first", "[work]") {
  source_set sources;
  sources.add_memory("in memory from the start");
  sources.add_stream("read one block after another");
  sources.add_memory("also in memory");
  sources.add_stream("another stream");
  const input from = sources.take();
  const space_boundary records(4);
  chunk_source all(from, records, chunk_source_options{.block_bytes = 6}, nullptr);
  interval grains(all.grains());
  all_chunks mine(all, grains);
  bool slices = false;
  while (const auto part = mine.next()) {
    if (part->source % 2 == 0) slices = true;
    CHECK((part->source % 2 == 0) == slices);
  }
}

TEST_CASE("units are known when all sources are addressable", "[work]") {
  const space_boundary records(4);
  source_set memory;
  memory.add_memory("seven b");
  memory.add_memory("");
  memory.add_memory("three");
  const input known = memory.take();
  CHECK(chunk_source(known, records, chunk_source_options{}, nullptr).known_units() == 12);

  source_set both;
  both.add_memory("seven b");
  both.add_stream("");
  const input unknown = both.take();
  const chunk_source part(unknown, records, chunk_source_options{}, nullptr);
  CHECK(part.known_units() == 0);
  CHECK(part.addressable_units() == 7);
  CHECK(part.has_streams());
  const input nothing;
  chunk_source none(nothing, records, chunk_source_options{}, nullptr);
  CHECK(none.known_units() == 0);
  CHECK(none.grains() == 0);
  chunk_source::taker mine;
  CHECK_FALSE(none.next_block(mine, true));
}

TEST_CASE("a taker keeps as many blocks as it was made for", "[work]") {
  const std::uint32_t seed = test::seed();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (unsigned open = 1; open <= 5; ++open) {
    for (int round = 0; round < 20; ++round) {
      source_set sources;
      sources.add_random(random, 10, 500);
      const input from = sources.take();
      const space_boundary records(16);
      chunk_source all(from, records, random_options(random), nullptr);
      interval grains(all.grains());
      all_chunks mine(all, grains, open);
      std::vector<chunk> chunks;
      std::vector<seen_chunk> seen;
      while (const auto part = mine.next()) {
        chunks.push_back(*part);
        seen.push_back(test::see(*part));
        // The bytes of the last `open` chunks, with the current one, must still be valid.
        for (std::size_t i = chunks.size() - std::min<std::size_t>(open, chunks.size()); i < chunks.size();
             ++i) {
          REQUIRE((chunks[i].bytes().text() == seen[i].text));
        }
      }
      test::require_tiles(seen, sources.contents(), records);
    }
  }
}

TEST_CASE("a cancelled run is interrupted at the next chunk", "[work]") {
  for (const bool streamed : {false, true}) {
    source_set sources;
    for (int i = 0; i < 3; ++i) {
      if (streamed) {
        sources.add_stream(std::string(1000, ' '));
      } else {
        sources.add_memory(std::string(1000, ' '));
      }
    }
    const input from = sources.take();
    const space_boundary records(10);
    run_control control;
    chunk_source all(from, records, chunk_source_options{.block_bytes = 10}, &control);
    interval grains(all.grains());
    all_chunks mine(all, grains);
    CHECK(mine.next());
    control.cancelled = true;
    CHECK_THROWS_AS(mine.next(), interrupted);
    all_chunks other(all, grains);
    CHECK_THROWS_AS(other.next(), interrupted);
  }
}

TEST_CASE("stopped work gives no more blocks", "[work]") {
  source_set sources;
  sources.add_memory(std::string(1000, ' '));
  sources.add_stream(std::string(1000, ' '));
  const input from = sources.take();
  const space_boundary records(10);
  chunk_source all(from, records, chunk_source_options{.block_bytes = 10}, nullptr);
  chunk_source::taker mine;
  CHECK(all.next_block(mine, false));
  CHECK_FALSE(all.stopped());
  all.stop();
  CHECK(all.stopped());
  CHECK_FALSE(all.next_block(mine, true));
  chunk_source::taker other;
  CHECK_FALSE(all.next_block(other, true));
}

TEST_CASE("a stream that cannot be read is an error for one taker, and stopping frees the others", "[work]") {
  for (int round = 0; round < 20; ++round) {
    source_set sources;
    sources.add_broken_stream("good until here ");
    const input from = sources.take();
    const space_boundary records(10);
    const unsigned readers = round % 2 == 0 ? 0 : 2;
    chunk_source all(from, records, chunk_source_options{.block_bytes = 4, .readers = readers}, nullptr);
    std::atomic<int> failures = 0;
    {
      std::vector<std::jthread> takers;
      for (int i = 0; i < 3; ++i) {
        takers.emplace_back([&] {
          try {
            chunk_source::taker mine;
            while (all.next_block(mine, true)) {
            }
          } catch (const input_error&) {
            ++failures;
            all.stop();
          }
        });
      }
    }
    CHECK(failures >= 1);
    if (readers == 0) CHECK(failures == 1);
  }
}

TEST_CASE("indices and bytes are not taken for each other", "[work]") {
  const format_boundary<index_range> indices{index_range{}};
  const space_boundary bytes(1);
  const auto make = [](const input& from, const boundary& records) {
    static_cast<void>(chunk_source(from, records, chunk_source_options{}, nullptr));
  };
  CHECK_THROWS_WITH(make(text_input("a b"), indices), contains("index_input(count)"));
  CHECK_THROWS_WITH(make(index_input(3), bytes), contains("has records of bytes, and the input has indices"));
  source_set sources;
  sources.add_stream("a b");
  CHECK_THROWS_WITH(make(sources.take(), indices), contains("has bytes"));
  CHECK_NOTHROW(make(text_input(""), indices));
  CHECK_NOTHROW(make(index_input(0), bytes));
}

TEST_CASE("grains are larger where there would be more than can be counted", "[work]") {
  constexpr std::uint64_t ten_trillion = 10'000'000'000'000;
  for (const std::uint64_t count : {std::uint64_t{1} << 32, ten_trillion, UINT64_MAX}) {
    const input from = index_input(count);
    const format_boundary<index_range> records{index_range{}};
    const chunk_source all(from, records, chunk_source_options{}, nullptr);
    CHECK(all.known_units() == count);
    const std::uint32_t grains = all.grains();
    CHECK(grains >= (std::uint32_t{1} << 22));
    CHECK(all.cut({0, 1}).records->offset == 0);
    const auto last = all.cut({grains - 1, grains}).records;
    CHECK(last->offset + last->size == count);
  }
}

}  // namespace duomap::test::scheduler_chunk_source_test
