// Quotes words, computes checksums of texts, and reads lines word by word.
#include "scheduler/history/profile_words.hpp"

#include <utility>

namespace duomap::scheduler {

std::uint64_t checksum(std::string_view text) noexcept {
  std::uint64_t sum = 0xCBF29CE484222325u;
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return sum;
}

std::string in_quotes(std::string_view text) {
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

bool word_reader::line(std::string_view word) {
  const std::size_t end = text_.find('\n');
  if (end == std::string_view::npos) return false;
  line_ = text_.substr(0, end);
  if (next() != word) return false;
  text_.remove_prefix(end + 1);
  return true;
}

std::string_view word_reader::next() {
  const std::size_t end = line_.find(' ');
  const std::string_view word = line_.substr(0, end);
  line_.remove_prefix(end == std::string_view::npos ? line_.size() : end + 1);
  return word;
}

bool word_reader::name(std::string& into) {
  auto text = unquoted(next());
  if (!text) return false;
  into = std::move(*text);
  return true;
}

bool word_reader::facts(profile_facts& into) {
  while (at("fact")) {
    auto& [fact, value] = into.emplace_back();
    if (!line("fact") || !name(fact) || !name(value) || !line_ended()) return false;
  }
  return true;
}

bool word_reader::ended_by_check() {
  std::uint64_t sum = 0;
  return line("check") && number(sum) && line_ended() && text_.empty();
}

std::string facts_text(const profile_facts& facts) {
  std::string text;
  for (const auto& [fact, value] : facts) text += "fact " + in_quotes(fact) + " " + in_quotes(value) + "\n";
  return text;
}

std::string check_line(std::string_view text) { return "check " + number_text(checksum(text)) + "\n"; }

}  // namespace duomap::scheduler
