// Parses conditions by recursive descent, and writes them in postfix order.
#include "apps/tasks/table/parse_condition.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
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
  explicit condition_parser(const std::string& text) : all_(text) {}

  [[nodiscard]] parsed_condition parse() && {
    any();
    skip_spaces();
    if (at_ < all_.size()) fail("and, or, or the end");
    return std::move(found_);
  }

 private:
  // `negated`: under an odd number of NOTs. Then each part is written as its opposite: not (a and b) is
  // not a or not b, and the opposite of > is <=. A null fulfils neither, as in SQL.
  void any(bool negated = false) {
    all(negated);
    while (keyword("or")) {
      all(negated);
      add_step(negated ? row_condition::step_and : row_condition::step_or);
    }
  }

  void all(bool negated) {
    one(negated);
    while (keyword("and")) {
      one(negated);
      add_step(negated ? row_condition::step_or : row_condition::step_and);
    }
  }

  void one(bool negated) {
    while (keyword("not")) negated = !negated;
    if (symbol("(")) {
      if (++depth_ > most_comparisons) fail("fewer parentheses");
      any(negated);
      if (!symbol(")")) fail(")");
      --depth_;
      return;
    }
    const std::string column = column_name();
    if (keyword("is")) {
      const bool present = keyword("not");
      if (!keyword("null")) fail("null");
      add(column, {.kind = present ? comparison_kind::is_not_null : comparison_kind::is_null}, negated);
      return;
    }
    if (keyword("not")) {
      negated = !negated;
      if (!one_of_words(column, negated)) fail("in, between or like");
      return;
    }
    if (one_of_words(column, negated)) return;
    comparison added{.kind = compared_by()};
    constant(added);
    if (added.constant == comparison::constant_kind::text) keep(added, text_);
    add(column, added, negated);
  }

  // Reads the rest of a comparison with a word. Returns false for another word.
  bool one_of_words(const std::string& column, bool negated) {
    if (keyword("in")) {
      list(column, negated);
    } else if (keyword("between")) {
      comparison least{.kind = comparison_kind::at_least}, most{.kind = comparison_kind::at_most};
      for (comparison* const end : {&least, &most}) {
        if (end == &most && !keyword("and")) fail("and");
        constant(*end);
        if (end->constant == comparison::constant_kind::text) keep(*end, text_);
        add(column, *end, negated);
      }
      if ((least.constant == comparison::constant_kind::text) !=
          (most.constant == comparison::constant_kind::text))
        throw usage_error("the condition '" + all_ + "' has a number and a text around one and of between");
      add_step(negated ? row_condition::step_or : row_condition::step_and);
    } else if (keyword("like")) {
      comparison pattern{.kind = comparison_kind::like};
      constant(pattern);
      if (pattern.constant != comparison::constant_kind::text) fail_before("a pattern in single quotes");
      keep(pattern, text_);
      add(column, pattern, negated);
    } else {
      return false;
    }
    return true;
  }

  void list(const std::string& column, bool negated) {
    if (!symbol("(")) fail("(");
    comparison added{.kind = comparison_kind::in};
    std::string bytes;
    bool first = true;
    do {
      comparison one;
      constant(one);
      const bool is_text = one.constant == comparison::constant_kind::text;
      if (!first && is_text != (added.constant == comparison::constant_kind::text))
        throw usage_error("the condition '" + all_ + "' has numbers and texts in one list");
      if (first) added.constant = is_text ? one.constant : comparison::constant_kind::decimal;
      first = false;
      is_text ? add_text(bytes) : add_number(one, bytes);
    } while (symbol(","));
    if (!symbol(")")) fail(", or )");
    keep(added, bytes);
    add(column, added, negated);
  }

  void add_text(std::string& bytes) const {
    constexpr std::size_t longest = 255;
    if (text_.size() > longest)
      throw usage_error("a text in a list of a condition has at most 255 bytes, not " +
                        std::to_string(text_.size()));
    bytes += static_cast<char>(text_.size());
    bytes += text_;
  }

  static void add_number(const comparison& number, std::string& bytes) {
    const bool exact = number.constant == comparison::constant_kind::decimal;
    char eight[sizeof number.decimal];
    exact ? std::memcpy(eight, &number.decimal, sizeof eight)
          : std::memcpy(eight, &number.real, sizeof eight);
    bytes += static_cast<char>(exact ? number.scale : comparison::list_of_real);
    bytes.append(eight, sizeof eight);
  }

  static comparison_kind opposite(comparison_kind kind) {
    using enum comparison_kind;
    constexpr std::pair<comparison_kind, comparison_kind> pairs[] = {
        {equal, unequal},       {less, at_least}, {at_most, greater},
        {is_null, is_not_null}, {in, not_in},     {like, not_like}};
    for (const auto& [a, b] : pairs) {
      if (kind == a) return b;
      if (kind == b) return a;
    }
    return kind;
  }

  void add(const std::string& column, comparison added, bool negated) {
    row_condition& all = found_.condition;
    if (all.count == most_comparisons)
      throw usage_error("a condition has at most " + std::to_string(most_comparisons) +
                        " comparisons, where between counts as two");
    if (negated) added.kind = opposite(added.kind);
    all.comparisons[all.count] = added;
    found_.columns.push_back(column);
    add_step(static_cast<unsigned char>(all.count++));
  }

  // Puts a text or a list into the condition.
  void keep(comparison& into, const std::string& bytes) {
    if (text_bytes_ + bytes.size() > most_constant_bytes)
      throw usage_error("the texts and lists of a condition have at most " +
                        std::to_string(most_constant_bytes) +
                        " bytes together, where a number in a list counts as 9");
    into.text = text_bytes_;
    into.size = static_cast<std::uint32_t>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), found_.condition.texts + text_bytes_);
    text_bytes_ += into.size;
  }

  std::string column_name() {
    skip_spaces();
    if (at_ < all_.size() && all_[at_] == '"') {
      std::string name = between_quotes('"');
      if (name.empty()) fail("the name of a column between the quotes");
      return name;
    }
    std::string word = next_word();
    if (word.empty()) fail("a column: a word, a number, or \"a name\" in double quotes");
    return word;
  }

  comparison_kind compared_by() {
    // Longer operators stand before their beginnings.
    constexpr std::pair<const char*, comparison_kind> operators[] = {
        {"==", comparison_kind::equal},    {"=", comparison_kind::equal},    {"!=", comparison_kind::unequal},
        {"<>", comparison_kind::unequal},  {"<=", comparison_kind::at_most}, {"<", comparison_kind::less},
        {">=", comparison_kind::at_least}, {">", comparison_kind::greater}};
    for (const auto& [name, kind] : operators) {
      if (symbol(name)) return kind;
    }
    fail("=, !=, <, <=, >, >=, [not] in, [not] between, [not] like, or is [not] null");
  }

  // Reads a constant. The text of one is then in text_.
  void constant(comparison& into) {
    skip_spaces();
    before_ = at_;
    if (at_ < all_.size() && all_[at_] == '\'') {
      text_ = between_quotes('\'');
      if (text_.empty()) fail("a text of at least one byte; an empty field is null, so write is null");
      into.constant = comparison::constant_kind::text;
      return;
    }
    const std::size_t begin = at_;
    while (at_ < all_.size() && (is_word(all_[at_]) || all_[at_] == '-' || all_[at_] == '+')) ++at_;
    const byte_view word{all_.data() + begin, at_ - begin};
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
    for (++at_; at_ < all_.size(); ++at_) {
      if (all_[at_] == quote) {
        ++at_;
        if (at_ == all_.size() || all_[at_] != quote) return text;
      }
      text += all_[at_];
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
    if (!std::string_view(all_).substr(at_).starts_with(name)) return false;
    at_ += name.size();
    return true;
  }

  std::string next_word() {
    const std::size_t begin = at_;
    while (at_ < all_.size() && is_word(all_[at_])) ++at_;
    return all_.substr(begin, at_ - begin);
  }

  void skip_spaces() {
    while (at_ < all_.size() && is_space(all_[at_])) ++at_;
  }

  void add_step(unsigned char step) { found_.condition.step[found_.condition.steps++] = step; }

  [[noreturn]] void fail(const std::string& wanted) {
    skip_spaces();
    throw usage_error("the condition '" + all_ + "' has " +
                      (at_ < all_.size() ? "'" + all_.substr(at_) + "'" : std::string("its end")) +
                      " in the place of " + wanted);
  }

  [[noreturn]] void fail_before(const std::string& wanted) {
    at_ = before_;
    fail(wanted);
  }

  const std::string& all_;  // of the condition
  std::string text_;        // the last constant that is a text
  std::size_t at_ = 0;
  std::size_t before_ = 0;  // the place of the last constant
  unsigned depth_ = 0;
  std::uint32_t text_bytes_ = 0;
  parsed_condition found_;
};

}  // namespace

parsed_condition parse_condition(const std::string& text) { return condition_parser(text).parse(); }

}  // namespace duomap::apps
