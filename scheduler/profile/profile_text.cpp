#include "scheduler/profile/profile_text.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <system_error>

namespace duomap::scheduler {
namespace {

constexpr std::string_view first_line = "duomap profile 1";

// A word: nothing in it is a space or a line end, and it is never empty.
std::string quoted(std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string word = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte < 0x7F && c != '%') {
      word += c;
    } else {
      word += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return word;
}

std::optional<std::string> unquoted(std::string_view word) {
  if (word.empty() || word[0] != '\'') return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (word[i] != '%') {
      text += word[i];
      continue;
    }
    unsigned byte = 0;
    if (i + 3 > word.size()) return std::nullopt;
    const auto [end, problem] = std::from_chars(word.data() + i + 1, word.data() + i + 3, byte, 16);
    if (problem != std::errc() || end != word.data() + i + 3) return std::nullopt;
    text += static_cast<char>(byte);
    i += 2;
  }
  return text;
}

template <class Number>
std::string number_text(Number value) {
  std::array<char, 64> buffer;
  const auto [end, problem] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), problem == std::errc() ? end : buffer.data()};
}

template <class Number>
bool parse_number(std::string_view word, Number& into) {
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), into);
  return problem == std::errc() && end == word.data() + word.size();
}

/// Takes a text apart, line by line and word by word.
class reader {
 public:
  explicit reader(std::string_view text) : text_(text) {}

  /// The next line must begin with `word`; its other words follow.
  bool line(std::string_view word) {
    const std::size_t end = text_.find('\n');
    if (end == std::string_view::npos) return false;
    line_ = text_.substr(0, end);
    if (next() != word) return false;
    text_.remove_prefix(end + 1);
    return true;
  }
  std::string_view next() {
    const std::size_t end = line_.find(' ');
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(end == std::string_view::npos ? line_.size() : end + 1);
    return word;
  }
  bool name(std::string& into) {
    auto text = unquoted(next());
    if (!text) return false;
    into = std::move(*text);
    return true;
  }
  template <class Number>
  bool number(Number& into) {
    return parse_number(next(), into);
  }
  // Seconds and parts: finite and not negative.
  bool amount(double& into) { return number(into) && std::isfinite(into) && into >= 0; }

  [[nodiscard]] bool line_ended() const { return line_.empty(); }
  [[nodiscard]] bool ended() const { return text_.empty(); }
  [[nodiscard]] bool at(std::string_view word) const {
    return text_.substr(0, word.size()) == word && text_.substr(word.size(), 1) == " ";
  }

 private:
  std::string_view text_;
  std::string_view line_;
};

}  // namespace

std::uint64_t checksum(std::string_view text) noexcept {
  std::uint64_t sum = 0xCBF29CE484222325u;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return sum;
}

std::string to_text(const profile_entry& entry) {
  std::string text(first_line);
  text += "\ntask " + quoted(entry.key.task) + "\n";
  for (const auto& [name, value] : entry.key.facts)
    text += "fact " + quoted(name) + " " + quoted(value) + "\n";
  text += "stored " + number_text(entry.profile.stored_at) + "\n";
  for (const executor_profile& one : entry.profile.executors) {
    text += "executor " + quoted(one.name);
    for (const double value : {one.model.seconds_per_grain, one.model.claim_seconds, one.model.start_seconds,
                               one.model.end_seconds, one.deviation, one.copy_per_unit, one.compute_per_unit,
                               one.model.alone_seconds_per_grain})
      text += " " + number_text(value);
    text += " " + number_text(one.runs) + " " + number_text(one.surprises) + "\n";
    if (one.model.beside) text += "beside " + number_text(*one.model.beside) + "\n";
  }
  return text + "check " + number_text(checksum(text)) + "\n";
}

std::optional<profile_entry> parse_profile(std::string_view text) {
  const std::string first = std::string(first_line) + "\n";
  if (text.substr(0, first.size()) != first) return std::nullopt;
  reader from(text.substr(first.size()));
  profile_entry entry;
  if (!from.line("task") || !from.name(entry.key.task) || !from.line_ended()) return std::nullopt;
  while (from.at("fact")) {
    auto& [name, value] = entry.key.facts.emplace_back();
    if (!from.line("fact") || !from.name(name) || !from.name(value) || !from.line_ended())
      return std::nullopt;
  }
  if (!from.line("stored") || !from.number(entry.profile.stored_at) || !from.line_ended())
    return std::nullopt;
  while (from.at("executor")) {
    executor_profile one;
    if (!from.line("executor") || !from.name(one.name) || !from.amount(one.model.seconds_per_grain) ||
        !from.amount(one.model.claim_seconds) || !from.amount(one.model.start_seconds) ||
        !from.amount(one.model.end_seconds) || !from.amount(one.deviation) ||
        !from.amount(one.copy_per_unit) || !from.amount(one.compute_per_unit) ||
        !from.amount(one.model.alone_seconds_per_grain) || !from.number(one.runs) ||
        !from.number(one.surprises) || !from.line_ended())
      return std::nullopt;
    if (from.at("beside")) {
      double& share = one.model.beside.emplace();
      if (!from.line("beside") || !from.amount(share) || share > 1 || !from.line_ended()) return std::nullopt;
    }
    entry.profile.executors.push_back(std::move(one));
  }
  std::uint64_t sum = 0;
  if (!from.line("check") || !from.number(sum) || !from.line_ended() || !from.ended()) return std::nullopt;
  // All of it, the checksum too, byte for byte.
  if (to_text(entry) != text) return std::nullopt;
  return entry;
}

}  // namespace duomap::scheduler
