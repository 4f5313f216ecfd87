// Writes paragraphs of random words and links.
#include "bench/data/synthetic_pages.hpp"

#include <random>

namespace duomap::apps {
namespace {

/// Appends one of 4096 words of six letters: three of 16 syllables, each a consonant and a vowel.
void add_word(std::string& text, std::uint64_t number) {
  constexpr std::string_view syllables = "bacedifogulamenipoquravesiwotuya";
  for (int i = 0; i < 3; ++i, number /= 16) text += syllables.substr(number % 16 * 2, 2);
}

}  // namespace

std::string synthetic_pages(std::uint64_t bytes, std::uint64_t targets, std::uint64_t seed) {
  constexpr std::uint64_t longest_line = 512;
  std::mt19937_64 random(seed);
  std::string html;
  html.reserve(bytes + longest_line);
  while (html.size() < bytes) {
    html += "<p>";
    for (int link = 0; link < 3; ++link) {
      for (int word = 0; word < 7; ++word) {
        add_word(html, random());
        html += ' ';
      }
      html += "<a href=\"/library/book-" + std::to_string(random() % targets) + ".html\">";
      add_word(html, random());
      html += "</a> ";
    }
    html += "</p>\n";
  }
  return html;
}

std::string_view word_of_synthetic_pages() noexcept { return "dilame"; }

}  // namespace duomap::apps
