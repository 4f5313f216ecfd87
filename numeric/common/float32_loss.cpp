// Judges for each column whether float32 loses digits that matter, and writes the note about it.
#include "numeric/common/float32_loss.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <tuple>
#include <utility>

namespace duomap {
namespace {

/// Writes a number with the fewest digits that read back as the same number.
std::string text_of(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

std::string short_text_of(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::general, 2).ptr};
}

}  // namespace

std::string note_on(const float32_loss& loss, const std::string& column, std::string_view remedy) {
  if (loss.columns == 0) return {};
  const std::uint64_t others = loss.columns - 1;
  std::string note = column + ": " + loss.what;
  if (others > 0)
    note += ", and " + std::to_string(others) +
            (others == 1 ? " other column loses" : " other columns lose") + " as much";
  if (!remedy.empty()) note.append("; ").append(remedy);
  return note;
}

std::size_t float32_loss_check::column_state::place_of(float rounded) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(rounded);
  return (bits ^ (bits >> 7)) % std::tuple_size_v<decltype(kept)>;
}

void float32_loss_check::column_state::add(const column_state& more) {
  count += more.count;
  inexact += more.inexact;
  least = std::min(least, more.least);
  most = std::max(most, more.most);
  largest_error = std::max(largest_error, more.largest_error);
  if (equal == 0) example = more.example;
  equal += more.equal;
  for (const seen& one : more.kept) {
    if (one.exact != 0) meet(one);
  }
}

std::string float32_loss_check::column_state::loss() const {
  if (equal > inexact / 1024)
    return "float32 makes " + text_of(example[0]) + " and " + text_of(example[1]) + " equal";
  if (most > least && largest_error > (most - least) * 0x1p-12)
    return "float32 rounds its numbers, which differ by up to " + short_text_of(most - least) +
           ", by up to " + short_text_of(largest_error);
  return {};
}

void float32_loss_check::add(const float32_loss_check& more) {
  if (more.columns_.size() > columns_.size()) columns_.resize(more.columns_.size());
  for (std::size_t i = 0; i < more.columns_.size(); ++i) columns_[i].add(more.columns_[i]);
}

void float32_loss_check::add_zeros(std::uint64_t rows) {
  for (column_state& one : columns_) {
    if (one.count < rows) one.add(0.0);
  }
}

float32_loss float32_loss_check::loss() const {
  float32_loss found;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::string what = columns_[i].loss();
    if (what.empty()) continue;
    if (found.columns++ > 0) continue;
    found.first = i;
    found.what = std::move(what);
  }
  return found;
}

}  // namespace duomap
