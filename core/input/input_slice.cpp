// Divides an input into slices, and makes inputs of slices.
#include "core/input/input_slice.hpp"

#include "core/error.hpp"
#include "core/input/slice.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace duomap {
namespace {

/// Whole records of an addressable source.
class records_source final : public source {
 public:
  records_source(const source& whole, const chunk& records)
    : source(whole.name()), whole_(whole), records_(records) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return records_.size; }
  [[nodiscard]] bool addressable() const noexcept override { return true; }
  [[nodiscard]] std::uint64_t units() const override { return records_.size; }
  [[nodiscard]] byte_view bytes() const override {
    return records_.data == nullptr ? byte_view{} : records_.bytes();
  }
  [[nodiscard]] bool marked() const noexcept override { return whole_.marked(); }
  [[nodiscard]] std::string change() const override { return whole_.change(); }
  [[nodiscard]] source_place place() const override { return {records_.source, records_.offset}; }

 private:
  const source& whole_;
  chunk records_;
};

/// A stream that keeps its number in the larger input.
class numbered_stream final : public source {
 public:
  numbered_stream(const source& whole, std::uint32_t number)
    : source(whole.name()), whole_(whole), number_(number) {}

  [[nodiscard]] std::optional<std::uint64_t> stored_size() const override { return whole_.stored_size(); }
  [[nodiscard]] bool addressable() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<byte_stream> open(const run_control* control) const override {
    return whole_.open(control);
  }
  [[nodiscard]] bool marked() const noexcept override { return whole_.marked(); }
  [[nodiscard]] std::string change() const override { return whole_.change(); }
  [[nodiscard]] source_place place() const override { return {number_, 0}; }

 private:
  const source& whole_;
  std::uint32_t number_;
};

std::uint64_t size_of(const source& one) {
  return one.addressable() ? one.units() : std::max<std::uint64_t>(1, one.stored_size().value_or(1));
}

std::string text_of(const input_slice& slice) {
  return std::to_string(slice.begin) + " to " + std::to_string(slice.end) + " of source " +
         std::to_string(slice.source);
}

}  // namespace

std::vector<input_slice> part_of_input(const input& whole, std::uint64_t index, std::uint64_t count) {
  expects(index < count && count <= UINT32_MAX, "part_of_input(index, count) needs index < count < 2^32");
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) total += size_of(whole[i]);
  const auto cut = [&](std::uint64_t at) {
    return total / count * at + total % count * at / count;  // the second product is below count * count
  };
  const std::uint64_t first = cut(index), last = cut(index + 1);

  std::vector<input_slice> slices;
  std::uint64_t before = 0;  // units of all sources in front of this one
  for (std::size_t i = 0; i < whole.size(); before += size_of(whole[i]), ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    if (!whole[i].addressable()) {
      if (before >= first && before < last) slices.push_back({number, 0, whole_stream});
      continue;
    }
    const std::uint64_t begin = std::max(first, before), end = std::min(last, before + whole[i].units());
    if (begin < end) slices.push_back({number, begin - before, end - before});
  }
  return slices;
}

input slice_input(const input& whole, std::span<const input_slice> slices, const boundary& records) {
  std::vector<std::unique_ptr<source>> parts;
  for (const input_slice& one : slices) {
    if (one.source >= whole.size())
      throw usage_error("there is no slice " + text_of(one) + ": the input has " +
                        std::to_string(whole.size()) + " sources");
    const source& from = whole[one.source];
    if (!from.addressable()) {
      if (one.begin != 0 || one.end != whole_stream)
        throw usage_error("there is no slice " + text_of(one) + ": " + quoted(from.name()) +
                          " is read as a stream, so that it can only be taken whole");
      parts.push_back(std::make_unique<numbered_stream>(from, one.source));
      continue;
    }
    if (one.begin > one.end || one.end > from.units())
      throw usage_error("there is no slice " + text_of(one) + ": " + quoted(from.name()) + " has " +
                        std::to_string(from.units()) + " units");
    const std::optional<chunk> found = slice(from, one.source, one.begin, one.end, records);
    if (found) parts.push_back(std::make_unique<records_source>(from, *found));
  }
  return input(std::move(parts));
}

}  // namespace duomap
