// The text a benchmark reads: a real one repeated, or a generated one, in a temporary file.
// host only
#pragma once

#include "apps/bench/harness/bench_table.hpp"
#include "apps/bench/harness/temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace duomap::apps {

/// A file that is removed with its owner.
class bench_text {
 public:
  /// The given texts one after the other (read as duomap reads them, a newline after each), repeated until
  /// there are at least `bytes` bytes.
  bench_text(const std::vector<std::string>& paths, std::uint64_t bytes);

  /// At least `bytes` bytes of synthetic words; their frequencies follow Zipf's law with exponent 1 over
  /// `distinct` words. Same seed, same text.
  bench_text(std::uint64_t distinct, std::uint64_t seed, std::uint64_t bytes);

  /// This text, once.
  explicit bench_text(const std::string& text);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t bytes() const { return std::filesystem::file_size(path_); }
  /// What a run over all of it goes through.
  [[nodiscard]] bench_work work() const { return {static_cast<double>(bytes()), "B"}; }
  /// What it is, for the record: "novels_20mb.txt.gz repeated 20 times".
  [[nodiscard]] const std::string& description() const noexcept { return description_; }
  /// The same with its size.
  [[nodiscard]] std::string subject() const;

 private:
  void append(const std::string& text);

  temporary_folder folder_;
  std::string path_ = folder_.path() + "/text";
  std::string description_;
};

}  // namespace duomap::apps
