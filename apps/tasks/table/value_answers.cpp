// Computes the aggregates that need the different values of a group.
#include "apps/tasks/table/value_answers.hpp"

#include "apps/tasks/table/counted_numbers.hpp"
#include "apps/tasks/table/distinct_estimate.hpp"
#include "apps/tasks/table/grouped_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <variant>

namespace duomap::apps {
namespace {

// Equal numbers may have been different texts.
std::vector<counted_number> numbers_in(std::span<const value_row> group) {
  std::vector<counted_number> numbers;
  for (const value_row& row : group) {
    if (row.rows == 0) continue;
    if (numbers.empty() || numbers.back().number != row.number) numbers.push_back({row.number, 0});
    numbers.back().rows += row.rows;
  }
  return numbers;
}

cell cell_or_missing(const auto& value) { return value ? cell(*value) : cell(missing_cell{}); }

cell answer_of_numbers(const aggregate& asked, std::span<const counted_number> numbers,
                       const number_type& type) {
  if (asked.kind == aggregate_kind::distinct) return static_cast<std::int64_t>(numbers.size());
  if (asked.kind == aggregate_kind::mode) return cell_or_missing(mode_of(numbers));
  if (asked.kind == aggregate_kind::median)
    return cell_or_missing(quantile_of(numbers, {.digits = 5, .scale = 1}, type));
  if (asked.kind == aggregate_kind::approx_distinct) return distinct_estimate(numbers);
  if (asked.kind == aggregate_kind::quantile || asked.kind == aggregate_kind::approx_quantile)
    return cell_or_missing(quantile_of(numbers, asked.at, type));
  const std::optional<long double> variance = variance_of(numbers, type);
  if (!variance) return missing_cell{};
  return static_cast<double>(asked.kind == aggregate_kind::variance ? *variance : std::sqrt(*variance));
}

// Each row of a group is a different text.
cell answer_of_texts(const aggregate& asked, std::span<const value_row> group, bool joined) {
  const auto is_less = [joined](byte_view a, byte_view b) {
    return joined ? joined_less(a, b) : a.text() < b.text();
  };
  std::int64_t texts = 0;
  const value_row* most = nullptr;
  for (const value_row& row : group) {
    if (row.rows == 0) continue;
    ++texts;
    if (most == nullptr || row.rows > most->rows ||
        (row.rows == most->rows && is_less(row.text(), most->text())))
      most = &row;
  }
  if (asked.kind == aggregate_kind::distinct) return texts;
  if (most == nullptr) return missing_cell{};
  return most->text();
}

}  // namespace

std::vector<cell> answers_of(std::span<const value_row> group, std::span<const aggregate> aggregates,
                             const std::optional<number_type>& type, bool joined) {
  std::vector<cell> answers;
  const std::vector<counted_number> numbers = type ? numbers_in(group) : std::vector<counted_number>{};
  for (const aggregate& one : aggregates)
    answers.push_back(type ? answer_of_numbers(one, numbers, *type) : answer_of_texts(one, group, joined));
  return answers;
}

cell answer_cell(const aggregate& asked, const cell& answer, const std::optional<number_type>& type,
                 std::string& text, bool joined) {
  if (const auto* const found = std::get_if<byte_view>(&answer); joined && found != nullptr) {
    text.assign(found->text());
    std::ranges::replace(text, joined_line_feed, '\n');
    return byte_view(text);
  }
  if (asked.kind != aggregate_kind::mode || !std::holds_alternative<std::int64_t>(answer)) return answer;
  const aggregate least{aggregate_kind::least, asked.column};
  return aggregate_cell(least, *type, single(std::get<std::int64_t>(answer)), {}, text);
}

std::optional<long double> answer_order(const aggregate& asked, const cell& answer,
                                        const std::optional<number_type>& type) {
  if (const auto* const number = std::get_if<double>(&answer)) return *number;
  const auto* const whole = std::get_if<std::int64_t>(&answer);
  if (whole == nullptr) return std::nullopt;
  if (asked.kind == aggregate_kind::distinct || asked.kind == aggregate_kind::approx_distinct)
    return static_cast<long double>(*whole);
  return aggregate_order({aggregate_kind::least, asked.column}, *type, single(*whole));
}

}  // namespace duomap::apps
