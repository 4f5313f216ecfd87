// Reads and writes LIBSVM's text of a model.
#include "numeric/svm/svm_model.hpp"

#include "core/error.hpp"
#include "core/text/number.hpp"
#include "numeric/common/decimal.hpp"
#include "numeric/common/libsvm_text.hpp"
#include "numeric/common/shown_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duomap {
namespace {

constexpr std::array<std::string_view, 4> kernel_names{"linear", "polynomial", "rbf", "sigmoid"};

template <class Number>
void append(std::string& text, Number number) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

template <class Number>
void append_line(std::string& text, std::string_view name, const std::vector<Number>& numbers) {
  text += name;
  for (const Number number : numbers) {
    text += ' ';
    append(text, number);
  }
  text += '\n';
}

/// Reads lines, and the words of a line.
class reader {
 public:
  reader(byte_view text, const std::string& name) : text_(text), name_(name) {}

  bool next_line() {
    if (at_ >= text_.size) return false;
    const char* const begin = text_.data + at_;
    const char* const end = std::find(begin, text_.data + text_.size, '\n');
    line_ = byte_view(begin, static_cast<std::uint64_t>(end - begin));
    at_ = std::min(at_ + line_.size + 1, text_.size);
    in_line_ = 0;
    ++number_;
    return true;
  }

  /// The next word of the line; empty at its end.
  byte_view next_word() {
    const auto space = [&](std::uint64_t i) {
      return line_[i] == ' ' || line_[i] == '\t' || line_[i] == '\r';
    };
    while (in_line_ < line_.size && space(in_line_)) ++in_line_;
    const std::uint64_t begin = in_line_;
    while (in_line_ < line_.size && !space(in_line_)) ++in_line_;
    return line_.sub(begin, in_line_ - begin);
  }

  [[nodiscard]] byte_view rest() const { return text_.sub(at_, text_.size - at_); }
  [[nodiscard]] std::uint64_t lines() const noexcept { return number_; }

  [[noreturn]] void fail(const std::string& why) const {
    throw input_error(name_ + ", line " + std::to_string(number_) + ": " + why);
  }

  template <class Number>
  Number finite(byte_view word, const char* what) const {
    const decimal<Number> number = whole_decimal<Number>(word);
    if (number.status != decimal_status::number || !std::isfinite(number.value))
      fail(std::string(what) + " " + shown(word) + " is not a finite number");
    return number.value;
  }

  std::uint64_t whole(byte_view word, const char* what, std::uint64_t most) const {
    const auto number = parse_integer<std::uint64_t>(word);
    if (!number.all_of(word.size) || number.value > most)
      fail(std::string(what) + " " + shown(word) + " is not a whole number up to " + std::to_string(most));
    return number.value;
  }

  std::vector<double> numbers(const char* what) {
    std::vector<double> found;
    for (byte_view word = next_word(); !word.empty(); word = next_word())
      found.push_back(finite<double>(word, what));
    return found;
  }

 private:
  byte_view text_;
  const std::string& name_;
  byte_view line_;
  std::uint64_t at_ = 0;
  std::uint64_t in_line_ = 0;
  std::uint64_t number_ = 0;
};

constexpr std::uint64_t most_classes = 1 << 16;
constexpr std::uint64_t most_rows = std::numeric_limits<std::uint32_t>::max() - 1;

/// Facts of the header, the lines before the support vectors, that are not part of the model.
struct header {
  std::uint64_t classes = 0;
  std::uint64_t rows = 0;
  std::vector<std::string> keys;  ///< all keys of the header
};

/// Reads one line of the header; returns false for the line that ends it.
bool read_header_line(reader& from, header& head, svm_model& model) {
  const std::string key{from.next_word().text()};
  if (key == "SV") return false;
  head.keys.push_back(key);
  if (key == "svm_type") {
    const std::string type{from.next_word().text()};
    if (type != "c_svc" && type != "nu_svc")
      from.fail("svm_type " + type + "; only models of classes (c_svc, nu_svc) can be used");
  } else if (key == "kernel_type") {
    const std::string kernel{from.next_word().text()};
    const auto found = std::ranges::find(kernel_names, kernel);
    if (found == kernel_names.end())
      from.fail("kernel_type " + kernel + "; it has to be linear, polynomial, rbf or sigmoid");
    model.kernel.kind = static_cast<kernel_kind>(found - kernel_names.begin());
  } else if (key == "degree") {
    model.kernel.degree = static_cast<std::uint32_t>(from.whole(from.next_word(), "degree", 1000));
  } else if (key == "gamma") {
    model.kernel.gamma = from.finite<double>(from.next_word(), "gamma");
  } else if (key == "coef0") {
    model.kernel.coef0 = from.finite<double>(from.next_word(), "coef0");
  } else if (key == "nr_class") {
    head.classes = from.whole(from.next_word(), "nr_class", most_classes);
  } else if (key == "total_sv") {
    head.rows = from.whole(from.next_word(), "total_sv", most_rows);
  } else if (key == "rho") {
    model.rho = from.numbers("rho");
  } else if (key == "label") {
    model.classes = from.numbers("label");
  } else if (key == "nr_sv") {
    for (byte_view word = from.next_word(); !word.empty(); word = from.next_word())
      model.rows_of_class.push_back(from.whole(word, "nr_sv", most_rows));
  } else if (key != "probA" && key != "probB" && key != "prob_density_marks") {
    from.fail(shown(key) + " is nothing that a model says");
  }
  return true;
}

void require_consistent(const reader& from, const header& head, const svm_model& model) {
  const auto expect = [&](const char* what, std::uint64_t found, std::uint64_t expected) {
    if (found != expected)
      from.fail("there are " + std::to_string(found) + " numbers of " + what + ", and should be " +
                std::to_string(expected));
  };
  const auto need = [&](const char* key) {
    if (std::ranges::find(head.keys, key) == head.keys.end())
      from.fail(std::string(key) + " is missing; fetch or train the model again");
  };
  need("svm_type");
  need("kernel_type");
  const kernel_kind kind = model.kernel.kind;
  if (kind == kernel_kind::polynomial) need("degree");
  if (kind != kernel_kind::linear) need("gamma");
  if (kind == kernel_kind::polynomial || kind == kernel_kind::sigmoid) need("coef0");
  if (head.classes == 0) from.fail("nr_class is missing or 0");
  if (head.classes == 1 && head.rows > 0) from.fail("one class alone has no support vectors");
  expect("label", model.classes.size(), head.classes);
  expect("rho", model.rho.size(), model.pairs());
  expect("nr_sv", model.rows_of_class.size(), head.classes);
  const std::uint64_t rows =
      std::accumulate(model.rows_of_class.begin(), model.rows_of_class.end(), std::uint64_t{0});
  if (rows != head.rows)
    from.fail("nr_sv add up to " + std::to_string(rows) + ", and total_sv is " + std::to_string(head.rows));
}

}  // namespace

std::string to_libsvm(const svm_model& model) {
  const kernel_kind kind = model.kernel.kind;
  std::string text = "svm_type c_svc\nkernel_type ";
  text += kernel_names[static_cast<std::size_t>(kind)];
  text += '\n';
  if (kind == kernel_kind::polynomial) text += "degree " + std::to_string(model.kernel.degree) + "\n";
  if (kind != kernel_kind::linear) append_line<double>(text, "gamma", {model.kernel.gamma});
  if (kind == kernel_kind::polynomial || kind == kernel_kind::sigmoid)
    append_line<double>(text, "coef0", {model.kernel.coef0});
  const std::uint64_t rows = model.rows.rows();
  text += "nr_class " + std::to_string(model.classes.size()) + "\n";
  text += "total_sv " + std::to_string(rows) + "\n";
  append_line(text, "rho", model.rho);
  append_line(text, "label", model.classes);
  append_line(text, "nr_sv", model.rows_of_class);
  text += "SV\n";
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t other = 0; other + 1 < model.classes.size(); ++other) {
      append(text, model.coefficients[other * rows + row]);
      text += ' ';
    }
    const auto columns = model.rows.columns_of_row(row);
    const auto values = model.rows.values_of_row(row);
    for (std::size_t k = 0; k < values.size(); ++k) {
      append(text, columns[k] + model.first_index);
      text += ':';
      append(text, values[k]);
      text += ' ';
    }
    text += '\n';
  }
  return text;
}

svm_model svm_model_from_libsvm(byte_view text, const std::string& name, worker_pool& pool) {
  reader from(text, name);
  svm_model model;
  header head;
  if (text.empty()) throw input_error(name + " is empty; a model begins with svm_type");
  bool more = from.next_line();
  while (more && read_header_line(from, head, model)) more = from.next_line();
  if (!more) from.fail("the text ends before the line SV");
  require_consistent(from, head, model);
  const std::uint64_t others = head.classes - 1;
  std::uint64_t lines = from.lines();
  sparse_table<double> rows =
      parse_libsvm_part<double>(from.rest(), name, {}, {others, "coefficient", ""}, lines, pool);
  if (rows.values.rows() != head.rows) {
    throw input_error(name + ": total_sv is " + std::to_string(head.rows) + ", and there are " +
                      std::to_string(rows.values.rows()) + " support vectors; the file is not whole");
  }
  model.rows = std::move(rows.values);
  model.first_index = rows.first_index;
  model.coefficients.resize(others * head.rows);
  for (std::uint64_t row = 0; row < head.rows; ++row) {
    for (std::uint64_t other = 0; other < others; ++other)
      model.coefficients[other * head.rows + row] = rows.labels[row * others + other];
  }
  return model;
}

}  // namespace duomap
