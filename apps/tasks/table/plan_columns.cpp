// Puts the columns of a grouping into a plan.
#include "apps/tasks/table/plan_columns.hpp"

#include "apps/tasks/table/plan_picks.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <algorithm>

namespace duomap::apps {
namespace {

// The function of the last column of `by`, which has values. `columns`: those whose numbers are read.
key_function sketch_of(const grouping& asked, const std::vector<std::string>& columns) {
  key_function function;
  if (asked.last_sketch == sketch_kind::none) return function;
  function.kind = asked.last_sketch == sketch_kind::registers ? key_function_kind::register_of_value
                                                              : key_function_kind::bucket_of_number;
  const auto at = std::ranges::find(columns, asked.by.back());
  if (at != columns.end()) function.value = static_cast<std::int8_t>(at - columns.begin());
  return function;
}

}  // namespace

void require_room(const grouping& asked, const std::vector<std::string>& values) {
  if (asked.by.empty()) throw usage_error("a grouping needs the column of its keys");
  if (asked.by.size() > most_key_columns)
    throw usage_error("keys have at most " + std::to_string(most_key_columns) + " columns, not " +
                      std::to_string(asked.by.size()));
  if (const std::size_t room = values.size() + (asked.needs_ranks() ? 1 : 0); room > most_value_columns)
    throw usage_error("at most " + std::to_string(most_value_columns) +
                      " columns are added up in a run, not " + std::to_string(room) +
                      "; approx_distinct counts as one; use several runs");
  const std::size_t picked = asked.picked_columns().size();
  const std::size_t reads = asked.by.size() + values.size() + picked + condition_of(asked).columns.size();
  if (picked > 0 && reads > most_read_columns)
    throw usage_error("a run reads at most " + std::to_string(most_read_columns) +
                      " columns of keys, numbers, conditions and picked values together, not " +
                      std::to_string(reads) + "; use several runs");
  static_cast<void>(plan_picks(asked));
}

parsed_condition condition_of(const grouping& asked) {
  return asked.where.empty() ? parsed_condition{} : parse_condition(asked.where);
}

void plan_columns(table_layout& into, const grouping& asked, const parsed_condition& where,
                  const std::function<key_place(const std::string& key)>& key_of,
                  const std::function<std::uint32_t(const std::string& column)>& field_of,
                  const std::function<number_type(std::uint32_t field)>& type_of) {
  column_plan& plan = into.plan;
  const std::vector<std::string> values = asked.value_columns();
  require_room(asked, values);
  plan.keys = static_cast<unsigned>(asked.by.size());
  plan.values = static_cast<unsigned>(values.size());
  plan.has_ranks = asked.needs_ranks();
  unsigned next = 0;
  for (unsigned k = 0; k < plan.keys; ++k) {
    const key_place place = asked.is_values_key(k)
                                ? key_place{field_of(asked.by[k]), sketch_of(asked, values)}
                                : key_of(asked.by[k]);
    plan.columns[next++] = {place.field, k, column_use::key};
    plan.functions[k] = place.function;
    plan.makes_keys = plan.makes_keys || place.function.kind != key_function_kind::none;
  }
  for (unsigned v = 0; v < plan.values; ++v) {
    const std::uint32_t field = field_of(values[v]);
    plan.columns[next++] = {field, v, column_use::value};
    const number_type* const given = asked.declared(values[v]);
    plan.types[v] = given != nullptr ? *given : type_of(field);
    into.note += (v == 0 ? "" : ", ") + quoted(values[v]) + " is " + text_of(plan.types[v]);
  }
  const std::vector<std::string> picked = asked.picked_columns();
  plan.picked = static_cast<unsigned>(picked.size());
  for (unsigned p = 0; p < plan.picked; ++p)
    plan.columns[next++] = {field_of(picked[p]), p, column_use::picked};
  for (const auto& [column, type] : asked.types) {
    if (std::ranges::find(values, column) == values.end())
      throw usage_error("the type of column " + quoted(column) + " is given, and no aggregate reads it");
  }
  plan.where = where.condition;
  for (unsigned c = 0; c < plan.where.count; ++c)
    plan.columns[next++] = {field_of(where.columns[c]), c, column_use::comparison};
  std::stable_sort(plan.columns, plan.columns + next,
                   [](const read_column& a, const read_column& b) { return a.field < b.field; });
}

}  // namespace duomap::apps
