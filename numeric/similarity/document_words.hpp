// Declares the two tasks of the bag of words.
// host only
#pragma once

#include "core/record/lines.hpp"
#include "core/task.hpp"
#include "core/text/load.hpp"
#include "cpu/features.hpp"
#include "cpu/scan/lower_case.hpp"
#include "cpu/scan/scan_words.hpp"
#include "duomap.hpp"
#include "scheduler/chained_run.hpp"

#include <cstdint>
#include <cstring>
#include <string>

namespace duomap {

/// The place where a document begins. packed() puts it into 8 bytes that sort like places in the input.
struct document_place {
  std::uint32_t source;
  std::uint64_t offset;

  static constexpr unsigned offset_bits = 40;

  [[nodiscard]] std::uint64_t packed() const { return std::uint64_t{source} << offset_bits | offset; }
  [[nodiscard]] static document_place unpack(std::uint64_t packed) {
    return {static_cast<std::uint32_t>(packed >> offset_bits),
            packed & ((std::uint64_t{1} << offset_bits) - 1)};
  }
};

/// (document, word) -> 1, summed. Each document also has a key without a word, so that an empty document has
/// a key, too. A key is the document's place followed by the word. Runs on the CPU, because words have any
/// length and the map builds keys.
struct document_words {
  using format = lines;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  bool by_line = false;
  bool lower_case = true;

  void map_chunk(const chunk& part, auto& emit) const {
    cpu::word_scanner scanner;
    cpu::lower_case_copy lowered;
    const chunk text = lower_case ? lowered.copy(part) : part;
    std::string joined;
    const auto count = [&](const chunk& document, std::uint64_t offset) {
      const std::uint64_t place = document_place{part.source, offset}.packed();
      joined.assign(reinterpret_cast<const char*>(&place), sizeof place);
      emit(byte_view(joined), 1);
      scanner.for_each_record(document, [&](byte_view word) {
        joined.resize(sizeof place);
        joined.append(word.text());
        emit(byte_view(joined), 1);
      });
    };
    if (!by_line) {
      count(text, 0);
      return;
    }
    lines{}.for_each_record(text, [&](const line& one) {
      count({one.text.data, one.text.size, one.offset, one.source}, one.offset);
    });
  }

  [[nodiscard]] static std::uint64_t document_of(byte_view key) { return load_eight(key.data); }
  [[nodiscard]] static byte_view word_of(byte_view key) {
    return key.sub(sizeof(std::uint64_t), key.size - sizeof(std::uint64_t));
  }
};

/// word -> the number of documents with this word, from the result of document_words.
struct documents_of_word {
  using format = entries_for<document_words>;
  using key = byte_view;
  using reduce = sum<std::uint64_t>;

  void map(const format::record& one, auto& emit) const {
    const byte_view word = document_words::word_of(one.key);
    if (word.size > 0) emit(word, 1);
  }
};

}  // namespace duomap
