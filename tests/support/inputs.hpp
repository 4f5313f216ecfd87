// Makes inputs for tests of tasks: boundary sizes, skewed and random data, and every form of the same data.
#pragma once

#include "core/config.hpp"
#include "core/input/input.hpp"
#include "core/input/memory_source.hpp"
#include "core/input/source.hpp"
#include "tests/core/input/support.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test {

/// An input for a task: the contents of its sources, or a number of indices for an index range.
struct sample {
  std::string name;
  std::vector<std::string> parts;
  std::uint64_t indices = 0;
};

/// Addressable bytes, streams, or both by turns. An index range is always addressable.
enum class layout { addressable, streamed, alternating };

/// A source that can only be read in order, a few bytes at a time.
class stream_source final : public source {
 public:
  stream_source(std::string text, std::string name) : source(std::move(name)), text_(std::move(text)) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return std::nullopt; }
  [[nodiscard]] bool addressable() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* = nullptr) const override {
    // 13 and 5003 divide no block size, so that reads end at unusual places.
    return std::make_unique<text_stream>(text_, text_.size() < 4096 ? 13 : 5003);
  }

 private:
  std::string text_;
};

[[nodiscard]] inline input make_input(const sample& from, layout form = layout::addressable) {
  std::vector<std::unique_ptr<source>> sources;
  if (from.parts.empty()) sources.push_back(std::make_unique<index_source>(from.indices));
  for (std::size_t i = 0; i < from.parts.size(); ++i) {
    const std::string name = from.name + " " + std::to_string(i);
    if (form == layout::streamed || (form == layout::alternating && i % 2 == 0)) {
      sources.push_back(std::make_unique<stream_source>(from.parts[i], name));
    } else {
      sources.push_back(std::make_unique<text_source>(from.parts[i], name));
    }
  }
  return input(std::move(sources));
}

/// Sizes at the edges of vectors, warps, blocks and tables.
inline constexpr std::uint64_t boundary_sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129};

/// A random rank in [0, ranks). Rank r has a probability in proportion to 1 / (r + 1).
[[nodiscard]] inline std::uint64_t zipf(std::mt19937_64& random, std::uint64_t ranks) {
  const double u = std::uniform_real_distribution<double>(0, 1)(random);
  const auto rank = static_cast<std::uint64_t>(std::exp(u * std::log(static_cast<double>(ranks) + 1))) - 1;
  return rank < ranks ? rank : ranks - 1;
}

/// Words of 1 to 20 bytes with blanks, newlines (also CR LF) and commas between them. Some have capital
/// letters, digits, apostrophes or UTF-8. Few words of the `vocabulary` are frequent.
[[nodiscard]] inline std::string random_words(std::mt19937_64& random, std::uint64_t bytes,
                                              std::uint64_t vocabulary) {
  static const std::string endings[] = {"", "'s", "\xC3\xA9", "ING", "0", "Tion"};
  static const std::string gaps[] = {
      " ", " ", " ", "\n", "\r\n", ", ", ",", ",,\n", "\n\n", "-", std::string(1, '\0')};
  std::string text;
  while (text.size() < bytes) {
    std::uint64_t rank = zipf(random, vocabulary);
    const std::string& ending = endings[rank % std::size(endings)];
    std::string word;
    do {
      word += static_cast<char>('a' + rank % 26);
      rank /= 26;
    } while (rank > 0);
    if (word.size() % 3 == 2) word += "wwwwwwwwwwww";
    text += word + ending + gaps[random() % std::size(gaps)];
  }
  text.resize(bytes);
  return text;
}

/// `count` words or lines; name(i) names word i.
template <class Name>
[[nodiscard]] std::string repeated(std::uint64_t count, const Name& name,
                                   const std::string& separator = "\n") {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) text += name(i) + separator;
  return text;
}

/// Texts of all boundary sizes, small enough for grains of a few bytes.
[[nodiscard]] inline std::vector<sample> boundary_texts(std::mt19937_64& random) {
  const auto unique_name = [](std::uint64_t i) {
    return "w" + std::to_string(i * 7919);
  };
  const auto one_name = [](std::uint64_t) {
    return std::string("same");
  };
  std::vector<sample> samples;
  samples.push_back({"one empty source", {""}});
  samples.push_back({"no record", {" \t;"}});
  samples.push_back({"one newline", {"\n"}});
  samples.push_back({"one record", {"word\n"}});
  samples.push_back({"no final newline", {"one two\nthree"}});
  samples.push_back({"empty lines and fields", {"\n\n,,\n,a,\r\n\r\n,\n"}});
  for (const std::uint64_t size : boundary_sizes) {
    const std::string n = std::to_string(size);
    samples.push_back({n + " records", {repeated(size, unique_name)}});
    samples.push_back({n + " bytes", {random_words(random, size, 5)}});
    samples.push_back({n + " bytes of one record", {std::string(size, 'x')}});
  }
  samples.push_back({"one key", {repeated(1000, one_name, " ")}});
  samples.push_back({"all keys different", {repeated(3000, unique_name)}});
  samples.push_back({"skewed", {random_words(random, 8000, 500)}});
  samples.push_back({"long records",
                     {"a " + std::string(5000, 'L') + "\n" + std::string(3000, 'M') + " b\n" +
                      repeated(20, unique_name) + std::string(2000, 'N')}});
  samples.push_back({"several sources, empty ones between",
                     {"", "first end", "", "", "start again\nend", "\n", random_words(random, 700, 40), ""}});
  samples.push_back({"every byte value", {[] {
                       std::string all;
                       for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
                       return all + all;
                     }()}});
  return samples;
}

/// Texts around the product's own grain and block sizes, for runs with default settings.
[[nodiscard]] inline std::vector<sample> large_texts(std::mt19937_64& random) {
  constexpr std::uint64_t grain = torture ? 11 : 64 * 1024;
  constexpr std::uint64_t block = torture ? 16 : 1024 * 1024;
  std::vector<sample> samples;
  for (const std::uint64_t size : {grain - 1, grain, grain + 1, block - 1, block, block + 1}) {
    samples.push_back({std::to_string(size) + " bytes", {random_words(random, size, 3000)}});
  }
  samples.push_back(
      {"a record longer than a block",
       {"start " + std::string(3 * grain, 'g') + " middle\n" + std::string(block + grain, 'b') + " end"}});
  samples.push_back({"many grains, many keys",
                     {random_words(random, 20 * grain, 200'000), random_words(random, 300, 9),
                      random_words(random, 3 * grain, 50)}});
  return samples;
}

/// `count` rows of `width` numbers behind a header. A part of a row may follow, which is not a row.
template <class T>
[[nodiscard]] std::string random_rows(std::mt19937_64& random, std::uint64_t count, std::uint64_t width,
                                      std::uint64_t header_bytes, std::uint64_t trailing_bytes,
                                      std::uint64_t values) {
  std::string bytes(header_bytes, '#');
  for (std::uint64_t i = 0; i < count * width; ++i) {
    const auto value = static_cast<T>(values == 0 ? random() : random() % values);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  return bytes + std::string(trailing_bytes, '\x7F');
}

/// Rows of all boundary sizes, with few or all possible values, in one source and in several.
template <class T>
[[nodiscard]] std::vector<sample> boundary_rows(std::mt19937_64& random, std::uint64_t width,
                                                std::uint64_t header_bytes = 0) {
  const auto rows_of = [&](std::uint64_t count, std::uint64_t trailing, std::uint64_t values) {
    return random_rows<T>(random, count, width, header_bytes, trailing, values);
  };
  std::vector<sample> samples;
  samples.push_back({"empty source", {""}});
  samples.push_back({"header only", {rows_of(0, 0, 0)}});
  samples.push_back({"half a row", {rows_of(0, width * sizeof(T) - 1, 0)}});
  for (const std::uint64_t size : boundary_sizes) {
    samples.push_back({std::to_string(size) + " rows", {rows_of(size, size % (width * sizeof(T)), 7)}});
  }
  samples.push_back({"one value", {rows_of(500, 0, 1)}});
  samples.push_back({"any values", {rows_of(700, 0, 0)}});
  samples.push_back(
      {"several sources", {rows_of(3, 0, 9), "", rows_of(100, 1, 9), rows_of(0, 0, 0), rows_of(77, 0, 0)}});
  return samples;
}

/// Index ranges of all boundary sizes.
[[nodiscard]] inline std::vector<sample> boundary_ranges(std::uint64_t largest = 3000) {
  std::vector<sample> samples;
  samples.push_back({"no index", {}, 0});
  for (const std::uint64_t size : boundary_sizes)
    samples.push_back({std::to_string(size) + " indices", {}, size});
  for (const std::uint64_t size : {largest - 1, largest}) {
    samples.push_back({std::to_string(size) + " indices", {}, size});
  }
  return samples;
}

}  // namespace duomap::test
