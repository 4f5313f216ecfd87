// Repeats or draws a text and appends it to a file.
#include "bench/harness/bench_text.hpp"

#include "apps/report/quantity.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

namespace duomap::apps {
namespace {

std::string read_all(const source& whole) {
  if (whole.addressable()) return std::string(whole.bytes().text());
  std::string text;
  const auto stream = whole.open();
  constexpr std::size_t step = 1 << 20;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + step);
    const std::uint64_t count = stream->read(text.data() + before, step);
    text.resize(before + count);
    if (count == 0) return text;
  }
}

}  // namespace

bench_text::bench_text(const std::vector<std::string>& paths, std::uint64_t bytes) {
  std::string text;
  const input texts = open_input(paths);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    text += read_all(texts[i]);
    text += '\n';
  }
  const std::uint64_t times = (bytes + text.size() - 1) / text.size();
  for (std::uint64_t i = 0; i < times; ++i) append(text);
  for (const std::string& path : paths) {
    description_ += (description_.empty() ? "" : ", ") + std::filesystem::path(path).filename().string();
  }
  description_ += times == 1 ? "" : " repeated " + std::to_string(times) + " times";
}

bench_text::bench_text(std::uint64_t distinct, std::uint64_t seed, std::uint64_t bytes) {
  std::mt19937_64 random(seed);
  // Inverts the continuous distribution with density 1/x on [1, distinct + 1): rank = exp(u * log(distinct +
  // 1)).
  const double range = std::log(static_cast<double>(distinct) + 1);
  std::string text;
  std::uint64_t made = 0;
  while (made < bytes) {
    text.clear();
    while (text.size() < (1u << 20)) {
      const double u = static_cast<double>(random() >> 11) * 0x1p-53;
      auto rank = static_cast<std::uint64_t>(std::exp(u * range));
      // The word is the rank in base 26, scrambled so that frequent words are neither all short nor all
      // alike.
      rank = std::min(rank, distinct) * 0x9E3779B1u % 0xFFFFFFFBu;
      do {
        text += static_cast<char>('a' + rank % 26);
        rank /= 26;
      } while (rank > 0);
      text += ' ';
    }
    append(text);
    made += text.size();
  }
  description_ = "synthetic words, Zipf over " + std::to_string(distinct) + ", seed " + std::to_string(seed);
}

bench_text::bench_text(const std::string& text) { append(text); }

std::string bench_text::subject() const { return description_ + ", " + bytes_text(bytes()); }

void bench_text::append(const std::string& text) {
  std::ofstream file(path_, std::ios::binary | std::ios::app);
  if (!(file << text << std::flush))
    throw output_error("cannot write the benchmark's text to " + path_ + ": " + std::strerror(errno) +
                       "; set TMPDIR to a folder with more room");
}

}  // namespace duomap::apps
