// Finds the columns of a grouping by their names, and checks their types.
#include "apps/tasks/table/batch_layout.hpp"

#include "apps/tasks/table/parse_condition.hpp"
#include "apps/tasks/table/parse_key_function.hpp"
#include "apps/tasks/table/plan_columns.hpp"
#include "apps/tasks/table/table_layout.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"
#include "core/text/number.hpp"

#include <algorithm>
#include <type_traits>

namespace duomap::apps {
namespace {

constexpr unsigned most_scale = 18;

class column_search {
 public:
  explicit column_search(const std::vector<column_type>& table) : table_(table) {}

  [[nodiscard]] std::uint32_t place_of(const std::string& column) const {
    const auto named = std::ranges::find(table_, column, &column_type::name);
    if (named != table_.end()) {
      if (std::ranges::find(named + 1, table_.end(), column, &column_type::name) != table_.end())
        throw usage_error("the table has several columns called " + quoted(column) +
                          "; give the column's number");
      return static_cast<std::uint32_t>(named - table_.begin());
    }
    const parsed<std::uint64_t> number = parse_integer<std::uint64_t>(byte_view(column));
    if (number.all_of(column.size()) && number.value >= 1 && number.value <= table_.size())
      return static_cast<std::uint32_t>(number.value - 1);
    std::string all;
    for (const column_type& one : table_) all += (all.empty() ? "" : ", ") + one.name;
    throw usage_error("the table has no column " + quoted(column) + "; it has " +
                      std::to_string(table_.size()) + (table_.empty() ? "" : ": " + all) +
                      (parse_key_call(column) ? "; functions make keys of text only" : ""));
  }

  [[noreturn]] void refuse(std::uint32_t place, const std::string& why) const {
    throw usage_error("column " + quoted(table_[place].name) + " has the type " + table_[place].type + ", " +
                      why);
  }

  [[nodiscard]] key_form key_form_of(std::uint32_t place) const {
    const column_type& one = table_[place];
    if (one.known && one.text) return {.text = true};
    if (one.known && one.kind == column_kind::nothing) return {};
    if (one.known && one.kind == column_kind::boolean) return {.width = 1};
    key_form form;
    if (one.known) {
      with_whole_type(one.kind,
                      [&]<class T>(T) { form = {.is_signed = std::is_signed_v<T>, .width = sizeof(T)}; });
    }
    if (form.width == 0)
      refuse(place, "which is no key; keys are texts, whole numbers, booleans, dates and times: cast it");
    return form;
  }

  [[nodiscard]] number_type number_type_of(std::uint32_t place) const {
    const column_type& one = table_[place];
    const bool number = one.known && !one.text && !one.time && one.kind != column_kind::boolean;
    if (!number) refuse(place, "which has no numbers; cast it to integers or doubles");
    require_scale(place);
    return {.real = is_real(one.kind), .scale = one.scale};
  }

  /// `adds`: whether other aggregates need numbers of the column, too.
  [[nodiscard]] value_form value_form_of(std::uint32_t place, bool adds) const {
    const column_type& one = table_[place];
    if (adds) return {.type = number_type_of(place)};
    if (!one.known) refuse(place, "which is not read here; cast it");
    if (one.text) return {.text = true};
    require_scale(place);
    return {.is_unsigned = one.kind == column_kind::uint64,
            .type = {.real = is_real(one.kind), .scale = one.scale}};
  }

  void require_comparable(std::uint32_t place, const comparison& with) const {
    const column_type& one = table_[place];
    if (!one.known) refuse(place, "which is not read here; cast it");
    const bool any = with.kind == comparison_kind::is_null || with.kind == comparison_kind::is_not_null;
    if (any || (!one.text && one.kind == column_kind::nothing)) return;
    const bool with_text = with.constant == comparison::constant_kind::text;
    if (one.text && !with_text)
      refuse(place, "and the condition compares it with a number; quote the number: '1'");
    if (one.text) return;
    if (one.time || one.kind == column_kind::boolean)
      refuse(place, "which no condition compares; cast it to integers or texts");
    if (with_text) refuse(place, "and the condition compares it with a text");
    require_scale(place);
  }

 private:
  static bool is_real(column_kind kind) {
    return kind == column_kind::float16 || kind == column_kind::float32 || kind == column_kind::float64;
  }

  void require_scale(std::uint32_t place) const {
    if (table_[place].scale > most_scale)
      refuse(place, "and decimals have at most " + std::to_string(most_scale) +
                        " digits behind the point here; cast it to doubles");
  }

  const std::vector<column_type>& table_;
};

}  // namespace

batch_layout find_batch_layout(const std::vector<column_type>& table, const grouping& asked) {
  const column_search search(table);
  batch_layout found;
  for (const aggregate& one : asked.aggregates) {
    if (sketch_of(one.kind) != sketch_kind::none)
      throw usage_error(one.heading() +
                        " is found in text only; for a table of columns take distinct or quantile");
  }
  grouping typed = asked;
  found.value_names = asked.value_columns();
  std::vector<std::uint32_t> values;
  for (const std::string& column : found.value_names) {
    values.push_back(search.place_of(column));
    typed.types.emplace_back(column, search.number_type_of(values.back()));
  }
  require_room(asked, found.value_names);
  typed.by.resize(1);  // the whole key is one column
  found.answer = plan_without_table(typed);
  found.answer.keys = 1;
  batch_plan& plan = found.plan;
  plan.keys.count = static_cast<unsigned>(asked.by.size());
  plan.values = found.answer.values;
  std::ranges::copy(found.answer.types, plan.types);
  for (unsigned k = 0; k < plan.keys.count; ++k) {
    found.columns.push_back(search.place_of(asked.by[k]));
    plan.keys.forms[k] = search.key_form_of(found.columns.back());
  }
  found.columns.insert(found.columns.end(), values.begin(), values.end());
  const parsed_condition where = condition_of(asked);
  plan.where = where.condition;
  for (unsigned c = 0; c < plan.where.count; ++c) {
    found.columns.push_back(search.place_of(where.columns[c]));
    search.require_comparable(found.columns.back(), plan.where.comparisons[c]);
  }
  for (const auto& [column, sketch] : asked.values_columns()) {
    const bool adds = std::ranges::find(found.value_names, column) != found.value_names.end();
    found.columns.push_back(search.place_of(column));
    found.sets.push_back({search.value_form_of(found.columns.back(), adds), plan.sets++, column});
  }
  return found;
}

std::string key_text(const key_layout& keys, byte_view key) {
  std::string text;
  keys.for_each_value(key, [&](unsigned k, const key_value& value) {
    text += k == 0 ? "" : ", ";
    if (value.null) {
      text += "null";
    } else {
      text += keys.forms[k].text ? std::string(value.text.text()) : std::to_string(value.number);
    }
  });
  return text;
}

}  // namespace duomap::apps
