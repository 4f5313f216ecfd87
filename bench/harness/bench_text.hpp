// The text that a benchmark reads, a real one repeated or a generated one, in a temporary file.
// host only
#pragma once

#include "bench/harness/bench_table.hpp"
#include "bench/harness/temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace duomap::apps {

/// A text file that is removed with its owner.
class bench_text {
 public:
  /// Joins the texts that duomap reads from the given paths, with a newline after each, and repeats the
  /// result until the file has at least `bytes` bytes.
  bench_text(const std::vector<std::string>& paths, std::uint64_t bytes);

  /// Draws at least `bytes` bytes of synthetic words, whose frequencies follow Zipf's law with exponent 1
  /// over `distinct` words. The same seed gives the same text.
  bench_text(std::uint64_t distinct, std::uint64_t seed, std::uint64_t bytes);

  /// Holds the given text once, without repeating it.
  explicit bench_text(const std::string& text);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::uint64_t bytes() const { return std::filesystem::file_size(path_); }
  /// The work of a run over the whole text.
  [[nodiscard]] bench_work work() const { return {static_cast<double>(bytes()), "B"}; }
  /// The origin of the text, for the record: "novels_20mb.txt.gz repeated 20 times".
  [[nodiscard]] const std::string& description() const noexcept { return description_; }
  /// The description and the size.
  [[nodiscard]] std::string subject() const;

 private:
  void append(const std::string& text);

  temporary_folder folder_;
  std::string path_ = folder_.path() + "/text";
  std::string description_;
};

}  // namespace duomap::apps
