// The text a benchmark reads: a real one repeated, or a generated one, in a temporary file.
// host only
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duomap::apps {

/// A file that is removed with its owner.
class bench_text {
 public:
  /// The given texts one after the other (read as duomap reads them, a newline after each), repeated until
  /// there are at least `bytes` bytes.
  bench_text(const std::vector<std::string>& paths, std::uint64_t bytes);

  /// At least `bytes` bytes of made-up words; their frequencies follow Zipf's law with exponent 1 over
  /// `distinct` words. Same seed, same text.
  bench_text(std::uint64_t distinct, std::uint64_t seed, std::uint64_t bytes);

  /// This text, once.
  explicit bench_text(const std::string& text);

  bench_text(const bench_text&) = delete;
  bench_text& operator=(const bench_text&) = delete;
  ~bench_text();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// What it is, for the record: "novels_20mb.txt.gz repeated 20 times".
  [[nodiscard]] const std::string& description() const noexcept { return description_; }

 private:
  void write(const std::string& text);

  std::string path_;
  std::string description_;
  int file_ = -1;
  std::uint64_t written_ = 0;
};

}  // namespace duomap::apps
