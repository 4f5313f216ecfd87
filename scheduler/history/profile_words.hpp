// Writes and reads the lines and words of stored profiles.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// The conditions of a measurement, as names and values: processor, usable cores, devices, links, driver,
/// build of the program. If one of them differs, the measurement is only a hint.
using profile_facts = std::vector<std::pair<std::string, std::string>>;

/// The 64-bit FNV-1a hash of a text. It shows damage by a disk or an editor.
[[nodiscard]] std::uint64_t checksum(std::string_view text) noexcept;

/// Writes any bytes as a word that is never empty and has no spaces or line ends.
[[nodiscard]] std::string in_quotes(std::string_view text);
[[nodiscard]] std::optional<std::string> unquoted(std::string_view word);

/// The shortest text from which exactly this number is read.
template <class Number>
[[nodiscard]] std::string number_text(Number value) {
  std::array<char, 64> buffer;
  const auto [end, problem] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), problem == std::errc() ? end : buffer.data()};
}

[[nodiscard]] std::string facts_text(const profile_facts& facts);

/// The last line of a file, with the checksum of the other lines, `text`.
[[nodiscard]] std::string check_line(std::string_view text);

/// Reads a text line by line and word by word. The words point into the text.
class word_reader {
 public:
  explicit word_reader(std::string_view text) : text_(text) {}

  /// Begins the next line, whose first word must be `word`. next() then gives the other words.
  bool line(std::string_view word);
  std::string_view next();
  bool name(std::string& into);
  /// Reads lines "fact NAME VALUE", one for each fact, as facts_text() writes them.
  bool facts(profile_facts& into);
  template <class Number>
  bool number(Number& into) {
    const std::string_view word = next();
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), into);
    return problem == std::errc() && end == word.data() + word.size();
  }
  /// Reads seconds, a rate or a part. The number must be finite and not negative.
  bool amount(double& into) { return number(into) && std::isfinite(into) && into >= 0; }

  [[nodiscard]] bool line_ended() const { return line_.empty(); }
  /// Takes the line of check_line(), which must be the last line. The checksum is not compared here, because
  /// the caller writes the parsed profile again and compares the whole text.
  bool ended_by_check();
  /// Whether the next line begins with `word`.
  [[nodiscard]] bool at(std::string_view word) const {
    return text_.substr(0, word.size()) == word && text_.substr(word.size(), 1) == " ";
  }

 private:
  std::string_view text_;
  std::string_view line_;
};

}  // namespace duomap::scheduler
