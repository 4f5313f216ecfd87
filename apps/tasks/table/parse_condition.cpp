// Parses conditions by recursive descent, and writes them in postfix order.
#include "apps/tasks/table/parse_condition.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

namespace duomap::apps {
namespace {

bool is_space(char c) { return std::string_view(" \t\n\r").find(c) != std::string_view::npos; }

// Letters, digits and all bytes beyond ASCII.
bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '.' || c == '$';
}

class condition_parser {
 public:
  explicit condition_parser(const std::string& text) : text_(text) {}

  [[nodiscard]] parsed_condition parse() && {
    any();
    skip_spaces();
    if (at_ < text_.size()) fail("and, or, or the end");
    return std::move(found_);
  }

 private:
  void any() {
    all();
    while (keyword("or")) {
      all();
      add_step(row_condition::step_or);
    }
  }

  void all() {
    one();
    while (keyword("and")) {
      one();
      add_step(row_condition::step_and);
    }
  }

  void one() {
    if (symbol("(")) {
      if (++depth_ > most_comparisons) fail("fewer parentheses");
      any();
      if (!symbol(")")) fail(")");
      --depth_;
      return;
    }
    row_condition& all = found_.condition;
    std::string column = column_name();
    if (all.count == most_comparisons)
      throw usage_error("a condition has at most " + std::to_string(most_comparisons) + " comparisons");
    comparison& added = all.comparisons[all.count];
    added.kind = kind();
    if (added.kind != comparison_kind::is_null && added.kind != comparison_kind::is_not_null) constant(added);
    found_.columns.push_back(std::move(column));
    add_step(static_cast<unsigned char>(all.count++));
  }

  std::string column_name() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '"') {
      std::string name = between_quotes('"');
      if (name.empty()) fail("the name of a column between the quotes");
      return name;
    }
    std::string word = next_word();
    if (word.empty()) fail("a column: a word, a number, or \"a name\" in double quotes");
    return word;
  }

  comparison_kind kind() {
    if (keyword("is")) {
      const bool negated = keyword("not");
      if (!keyword("null")) fail("null");
      return negated ? comparison_kind::is_not_null : comparison_kind::is_null;
    }
    // Longer operators stand before their beginnings.
    constexpr std::pair<const char*, comparison_kind> operators[] = {
        {"==", comparison_kind::equal},    {"=", comparison_kind::equal},    {"!=", comparison_kind::unequal},
        {"<>", comparison_kind::unequal},  {"<=", comparison_kind::at_most}, {"<", comparison_kind::less},
        {">=", comparison_kind::at_least}, {">", comparison_kind::greater}};
    for (const auto& [name, kind] : operators) {
      if (symbol(name)) return kind;
    }
    fail("=, !=, <, <=, >, >=, or is null");
  }

  void constant(comparison& into) {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '\'') {
      const std::string text = between_quotes('\'');
      if (text.empty()) fail("a text of at least one byte; an empty field is null, so write is null");
      if (text_bytes_ + text.size() > most_constant_bytes)
        throw usage_error("the texts of a condition have at most " + std::to_string(most_constant_bytes) +
                          " bytes together");
      into.constant = comparison::constant_kind::text;
      into.text = text_bytes_;
      into.size = static_cast<std::uint32_t>(text.size());
      std::copy(text.begin(), text.end(), found_.condition.texts + text_bytes_);
      text_bytes_ += into.size;
      return;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '-' || text_[at_] == '+')) ++at_;
    const byte_view word{text_.data() + begin, at_ - begin};
    const parsed<double> real = parse_real(word);
    if (real.status != parse_status::number) {
      at_ = begin;
      fail("a number, or a text in single quotes");
    }
    into.real = real.value;
    into.constant = comparison::constant_kind::real;
    // 64 bits hold a decimal with up to 18 digits behind the point, if it has no more before it.
    const scaled_number fine = parse_scaled(word, 18);
    if (fine.status == scaled_status::no_number || fine.decimals > 18) return;
    const scaled_number exact = parse_scaled(word, fine.decimals);
    if (exact.status != scaled_status::number) return;
    into.constant = comparison::constant_kind::decimal;
    into.scale = static_cast<unsigned char>(fine.decimals);
    into.decimal = exact.value;
  }

  // The text between two quotes; two quotes in it stand for one.
  std::string between_quotes(char quote) {
    const std::size_t begin = at_;
    std::string text;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        if (at_ == text_.size() || text_[at_] != quote) return text;
      }
      text += text_[at_];
    }
    at_ = begin;
    fail(std::string("the quote ") + quote + " that ends this text");
  }

  bool keyword(std::string_view word) {
    skip_spaces();
    const std::size_t begin = at_;
    std::string next = next_word();
    std::ranges::transform(next, next.begin(), [](unsigned char c) { return std::tolower(c); });
    if (next == word) return true;
    at_ = begin;
    return false;
  }

  bool symbol(std::string_view name) {
    skip_spaces();
    if (!std::string_view(text_).substr(at_).starts_with(name)) return false;
    at_ += name.size();
    return true;
  }

  std::string next_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  void add_step(unsigned char step) { found_.condition.step[found_.condition.steps++] = step; }

  [[noreturn]] void fail(const std::string& wanted) {
    skip_spaces();
    throw usage_error("the condition '" + text_ + "' has " +
                      (at_ < text_.size() ? "'" + text_.substr(at_) + "'" : std::string("its end")) +
                      " in the place of " + wanted);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  std::uint32_t text_bytes_ = 0;
  parsed_condition found_;
};

}  // namespace

parsed_condition parse_condition(const std::string& text) { return condition_parser(text).parse(); }

}  // namespace duomap::apps
