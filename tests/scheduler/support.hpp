// Helpers for tests of the scheduler: inputs of every kind of source, and a check that chunks cover them.
#pragma once

#include "core/boundary.hpp"
#include "core/chunk.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/input/memory_source.hpp"
#include "core/input/source.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

/// A source that can only be read in order, a few bytes at a time; its end fails if `broken`.
class trickling_source final : public source {
 public:
  explicit trickling_source(std::string text, bool broken = false)
    : source("a stream"), text_(std::move(text)), broken_(broken) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return std::nullopt; }
  [[nodiscard]] bool addressable() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* = nullptr) const override {
    class broken_stream final : public byte_stream {
     public:
      explicit broken_stream(std::string text) : good_(std::move(text)) {}
      std::uint64_t read(char* into, std::uint64_t capacity) override {
        const std::uint64_t count = good_.read(into, capacity);
        if (count == 0) throw input_error("a stream: broken");
        return count;
      }

     private:
      text_stream good_;
    };
    if (broken_) return std::make_unique<broken_stream>(text_);
    return std::make_unique<text_stream>(text_, 37);
  }

 private:
  std::string text_;
  bool broken_;
};

/// Cuts behind spaces, in small grains. Threads may share it, unlike separator_boundary.
class space_boundary final : public boundary {
 public:
  explicit space_boundary(std::uint64_t grain) : grain_(grain) {}

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from,
                                          std::uint64_t limit) const override {
    while (from > 0 && from < limit && source[from - 1] != ' ') ++from;
    return from;
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const override {
    std::uint64_t end = block.size;
    while (end > 0 && block[end - 1] != ' ') --end;
    return end;
  }
  [[nodiscard]] std::uint64_t grain() const override { return grain_; }

 private:
  std::uint64_t grain_;
};

/// Collects sources for an input, and keeps a copy of their contents.
class source_set {
 public:
  void add_memory(std::string text) {
    sources_.push_back(std::make_unique<text_source>(text, "a text"));
    contents_.push_back(std::move(text));
  }
  void add_stream(std::string text) {
    sources_.push_back(std::make_unique<trickling_source>(text));
    contents_.push_back(std::move(text));
  }
  void add_broken_stream(std::string text) {
    sources_.push_back(std::make_unique<trickling_source>(text, true));
    contents_.push_back(std::move(text));
  }

  /// Adds up to `most` sources of up to `bytes` bytes, some of them empty or of only one record.
  void add_random(std::mt19937& random, std::size_t most, std::size_t bytes) {
    for (std::size_t count = random() % (most + 1); count > 0; --count) {
      std::string text(random() % 4 == 0 ? 0 : random() % (bytes + 1), 'w');
      if (random() % 8 != 0) {
        for (char& c : text) c = random() % 6 == 0 ? ' ' : static_cast<char>('a' + random() % 26);
      }
      if (random() % 2 == 0) {
        add_memory(std::move(text));
      } else {
        add_stream(std::move(text));
      }
    }
  }

  [[nodiscard]] input take() { return input(std::move(sources_)); }
  [[nodiscard]] const std::vector<std::string>& contents() const noexcept { return contents_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    std::uint64_t sum = 0;
    for (const std::string& content : contents_) sum += content.size();
    return sum;
  }

 private:
  std::vector<std::unique_ptr<source>> sources_;
  std::vector<std::string> contents_;
};

/// A chunk, and a copy of its bytes from the time when they were valid.
struct seen_chunk {
  std::uint32_t source;
  std::uint64_t offset;
  std::string text;
};

[[nodiscard]] inline seen_chunk see(const chunk& part) {
  return {part.source, part.offset, std::string(part.bytes().text())};
}

/// Fails unless the chunks together are exactly the contents. No chunk may be empty, and each must start with
/// a record.
inline void require_tiles(std::vector<seen_chunk> chunks, const std::vector<std::string>& contents,
                          const boundary& records) {
  std::sort(chunks.begin(), chunks.end(), [](const seen_chunk& a, const seen_chunk& b) {
    return a.source != b.source ? a.source < b.source : a.offset < b.offset;
  });
  std::vector<std::string> seen(contents.size());
  for (const seen_chunk& each : chunks) {
    REQUIRE(each.source < contents.size());
    REQUIRE_FALSE(each.text.empty());
    REQUIRE(each.offset == seen[each.source].size());
    const std::string& whole = contents[each.source];
    REQUIRE(records.first_start({whole.data(), whole.size()}, each.offset, whole.size()) == each.offset);
    seen[each.source] += each.text;
  }
  REQUIRE((seen == contents));
}

}  // namespace duomap::test
