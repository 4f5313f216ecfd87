// Helpers for tests of the input: temporary folders, streams and boundaries under the control of a test.
#pragma once

#include "core/boundary.hpp"
#include "core/input/source.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap::test {

/// Makes a new folder, and removes it with its content at the end.
class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "duomap-test-XXXXXX").native();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("no temporary folder");
    }
    path_ = name;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path(std::string_view name = {}) const {
    return name.empty() ? path_ : path_ + "/" + std::string(name);
  }

  /// Writes a file and makes its folders; returns its path.
  std::string write(std::string_view name, std::string_view content) const {
    const std::filesystem::path file = path(name);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
    return file.native();
  }

 private:
  std::string path_;
};

/// A stream over a text. A read gives at most `most` bytes, or with a generator a random number up to `most`.
class text_stream final : public byte_stream {
 public:
  explicit text_stream(std::string text, std::uint64_t most = UINT64_MAX, std::mt19937* random = nullptr)
    : text_(std::move(text)), most_(most), random_(random) {}

  std::uint64_t read(char* into, std::uint64_t capacity) override {
    std::uint64_t count = std::min({capacity, most_, static_cast<std::uint64_t>(text_.size()) - at_});
    if (random_ != nullptr && count > 1) {
      count = std::uniform_int_distribution<std::uint64_t>(1, count)(*random_);
    }
    std::copy_n(text_.data() + at_, count, into);
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::uint64_t most_;
  std::mt19937* random_;
  std::uint64_t at_ = 0;
};

/// Reads a stream to its end, `capacity` bytes at a time.
inline std::string drain(byte_stream& stream, std::uint64_t capacity = 4096) {
  std::string all;
  std::vector<char> piece(capacity);
  while (const std::uint64_t count = stream.read(piece.data(), capacity)) {
    all.append(piece.data(), count);
  }
  return all;
}

/// The content of any source.
inline std::string content(const source& from) {
  return from.addressable() ? std::string(from.bytes().text()) : drain(*from.open());
}

/// Cuts behind separators and counts the bytes it examines. With '\n' alone, records are lines.
class separator_boundary final : public boundary {
 public:
  explicit separator_boundary(std::string separators) : separators_(std::move(separators)) {}

  [[nodiscard]] std::uint64_t first_start(byte_view source, std::uint64_t from,
                                          std::uint64_t limit) const override {
    while (from > 0 && from < limit && !separates(source[from - 1])) {
      ++from;
    }
    return from;
  }
  [[nodiscard]] std::uint64_t last_start(byte_view block) const override {
    std::uint64_t end = block.size;
    while (end > 0 && !separates(block[end - 1])) {
      --end;
    }
    return end;
  }
  [[nodiscard]] std::uint64_t grain() const override { return 1; }

  /// The records of `piece`, which starts at a record. Separators stay in the records, so no byte is lost.
  [[nodiscard]] std::vector<std::string> records(std::string_view piece) const {
    std::vector<std::string> found;
    std::size_t start = 0;
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (separators_.find(piece[i]) != std::string::npos || i + 1 == piece.size()) {
        found.emplace_back(piece.substr(start, i + 1 - start));
        start = i + 1;
      }
    }
    return found;
  }

  [[nodiscard]] std::uint64_t looked_at() const { return looked_at_; }

 private:
  [[nodiscard]] bool separates(char c) const {
    ++looked_at_;
    return separators_.find(c) != std::string::npos;
  }

  std::string separators_;
  mutable std::uint64_t looked_at_ = 0;
};

/// Every property test runs with each of these boundaries.
inline std::vector<separator_boundary> boundaries() {
  return {separator_boundary("\n"), separator_boundary(" \n.")};
}

/// A text of letters and separators; sometimes without a separator, so that the text is one record.
inline std::string random_text(std::mt19937& random, std::size_t size) {
  const std::string_view alphabets[] = {"ab\n", "abcdefgh .\n", "aaaaaaaaaaaaaaaaaaa\n", "a", "\n"};
  const std::string_view alphabet = alphabets[random() % std::size(alphabets)];
  std::string text(size, '\0');
  for (char& c : text) {
    c = alphabet[random() % alphabet.size()];
  }
  return text;
}

}  // namespace duomap::test
