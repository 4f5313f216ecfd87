#include "apps/bench/harness/bench_text.hpp"

#include "core/error.hpp"
#include "core/input/input.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
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
  for (std::uint64_t i = 0; i < times; ++i) write(text);
  for (const std::string& path : paths) {
    description_ += (description_.empty() ? "" : ", ") + std::filesystem::path(path).filename().string();
  }
  description_ += times == 1 ? "" : " repeated " + std::to_string(times) + " times";
}

bench_text::bench_text(std::uint64_t distinct, std::uint64_t seed, std::uint64_t bytes) {
  std::mt19937_64 random(seed);
  // By the inverse of the continuous distribution with density 1/x on [1, distinct + 1): rank = exp(u *
  // log(distinct + 1)).
  const double range = std::log(static_cast<double>(distinct) + 1);
  std::string text;
  std::uint64_t made = 0;
  while (made < bytes) {
    text.clear();
    while (text.size() < (1u << 20)) {
      const double u = static_cast<double>(random() >> 11) * 0x1p-53;
      auto rank = static_cast<std::uint64_t>(std::exp(u * range));
      // The rank in base 26, scrambled so that frequent words are not all short and alike.
      rank = std::min(rank, distinct) * 0x9E3779B1u % 0xFFFFFFFBu;
      do {
        text += static_cast<char>('a' + rank % 26);
        rank /= 26;
      } while (rank > 0);
      text += ' ';
    }
    write(text);
    made += text.size();
  }
  description_ = "made-up words, Zipf over " + std::to_string(distinct) + ", seed " + std::to_string(seed);
}

bench_text::bench_text(const std::string& text) { write(text); }

bench_text::~bench_text() {
  if (file_ >= 0) ::close(file_);
  if (!path_.empty()) ::unlink(path_.c_str());
}

void bench_text::write(const std::string& text) {
  if (file_ < 0) {
    path_ = (std::filesystem::temp_directory_path() / "duomap-bench-XXXXXX").string();
    file_ = ::mkstemp(path_.data());
  }
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = file_ < 0 ? -1 : ::write(file_, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int problem = errno;
      if (!path_.empty()) ::unlink(path_.c_str());
      throw output_error("cannot write the benchmark's text to " + path_ + " after " +
                         std::to_string(written_) + " bytes: " + std::strerror(problem) +
                         "; set TMPDIR to a folder with more room");
    }
    at += static_cast<std::size_t>(count);
    written_ += static_cast<std::uint64_t>(count);
  }
}

}  // namespace duomap::apps
