// Numbers texts, and merges the texts of many parts into one sorted list.
#include "numeric/common/text_dictionary.hpp"

#include "core/error.hpp"
#include "numeric/common/decimal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace duomap {

std::uint32_t text_dictionary::find_or_add(byte_view text) {
  const auto known = numbers_.find(text.text());
  if (known != numbers_.end()) return known->second;
  if (texts_.size() == std::numeric_limits<std::uint32_t>::max()) {
    throw input_error("a column has more than 2^32 different texts; it can be no label and not be encoded");
  }
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(&numbers_.emplace(text.text(), number).first->first);
  return number;
}

void sort_texts(std::vector<std::string>& texts) {
  std::vector<std::pair<double, std::string>> numbers;
  numbers.reserve(texts.size());
  for (std::string& text : texts) {
    const decimal<double> number = whole_decimal<double>(text);
    if (number.status != decimal_status::number || std::isnan(number.value)) break;
    numbers.emplace_back(number.value, text);
  }
  if (numbers.size() < texts.size()) {
    std::sort(texts.begin(), texts.end());
    return;
  }
  std::sort(numbers.begin(), numbers.end());
  std::transform(numbers.begin(), numbers.end(), texts.begin(),
                 [](auto& number) { return std::move(number.second); });
}

std::vector<std::string> merged_texts(const std::vector<const text_dictionary*>& parts) {
  text_dictionary all;
  for (const text_dictionary* part : parts) {
    for (const std::string* text : part->texts()) static_cast<void>(all.number_of(*text));
  }
  std::vector<std::string> merged;
  merged.reserve(all.texts().size());
  for (const std::string* text : all.texts()) merged.push_back(*text);
  sort_texts(merged);
  return merged;
}

text_indices indices_of(const std::vector<std::string>& texts) {
  text_indices indices;
  indices.reserve(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) indices.emplace(texts[i], static_cast<std::uint32_t>(i));
  return indices;
}

std::vector<std::uint32_t> indices_in(const text_indices& list, const text_dictionary& part) {
  std::vector<std::uint32_t> indices;
  indices.reserve(part.texts().size());
  for (const std::string* text : part.texts()) indices.push_back(list.at(*text));
  return indices;
}

}  // namespace duomap
