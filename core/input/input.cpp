// Makes inputs of memory, and answers questions about an input's size.
#include "core/input/input.hpp"

#include "core/config.hpp"
#include "core/error.hpp"
#include "core/input/compression.hpp"
#include "core/input/mapped_file.hpp"
#include "core/input/memory_source.hpp"
#include "core/path_problem.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace duomap {

namespace {

input only(std::unique_ptr<source> one) {
  std::vector<std::unique_ptr<source>> sources;
  sources.push_back(std::move(one));
  return input(std::move(sources));
}

// The end of a source, in bytes; 0 for a stream that nobody has read to its end.
std::uint64_t known_end(const source& one) {
  return one.addressable() ? one.place().offset + one.units() : one.stream_end().value_or(0);
}

}  // namespace

void require_binary(const source& one) {
  if (!one.marked()) return;
  throw input_error("cannot read binary records from " + quoted(one.name()) +
                    ": it was opened as text, and its first bytes, a byte order mark, were left out; open it "
                    "with duomap::input_content::records");
}

std::uint64_t input::stored_bytes() const {
  std::uint64_t sum = 0;
  for (const std::unique_ptr<source>& one : sources_) {
    sum += one->stored_size().value_or(0);
  }
  return sum;
}

bool is_small(const input& from) {
  constexpr std::uint64_t few_indices = 16'384;
  if (torture) return false;
  std::uint64_t indices = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const source& one = from[i];
    if (!one.stored_size()) return false;
    if (!one.addressable()) {
      // Not small: a few compressed bytes may become a gigabyte of text.
      if (promised_by(one.name()) != compression::none) return false;
    } else if (one.bytes().data == nullptr) {
      indices += one.units();
    }
  }
  return indices <= few_indices && from.stored_bytes() < map_threshold;
}

std::string cut_rows_text(const input& from, std::uint64_t header_bytes, std::uint64_t row_bytes) {
  std::string text;
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const source& one = from[i];
    const std::uint64_t end = known_end(one);
    const std::uint64_t cut = end > header_bytes ? (end - header_bytes) % row_bytes : 0;
    if (cut == 0) continue;
    if (!text.empty()) {
      ++others;
      continue;
    }
    text = (cut == 1 ? "the last byte of " : "the last " + std::to_string(cut) + " bytes of ") +
           quoted(one.name()) + (cut == 1 ? " is" : " are") + " no whole row of " +
           std::to_string(row_bytes) + " bytes: not mapped";
  }
  if (others > 0)
    text += "; " + std::to_string(others) + (others == 1 ? " other source ends" : " other sources end") +
            " within a row, too";
  return text;
}

input text_input(std::string text, std::string name) {
  return only(std::make_unique<text_source>(std::move(text), std::move(name)));
}

input view_input(byte_view bytes, std::string name) {
  return only(std::make_unique<view_source>(bytes, std::move(name)));
}

input index_input(std::uint64_t count) { return only(std::make_unique<index_source>(count)); }

}  // namespace duomap
