// Reads picked rows of tables a second time.
#include "apps/tasks/table/picked_values.hpp"

#include "apps/tasks/table/comma_number.hpp"
#include "apps/tasks/table/group_rows.hpp"
#include "apps/tasks/table/grouped_table.hpp"
#include "apps/tasks/table/value_rows.hpp"
#include "core/error.hpp"
#include "core/input/standard_input.hpp"
#include "core/parallel_sort.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <utility>

namespace duomap::apps {
namespace {

[[noreturn]] void throw_changed(const std::string& table) {
  throw input_error(
      quoted(table) +
      " has changed since its rows were grouped, so the values of rows cannot be read; group it "
      "again");
}

/// Reads forward through a source that is not addressable.
class row_reader {
 public:
  explicit row_reader(const source& table) : table_(table), stream_(table.open(nullptr)) {}

  /// The row that begins at `offset`. Offsets ascend.
  byte_view row_at(std::uint64_t offset) {
    while (begin_ + kept_.size() <= offset) {
      begin_ += kept_.size();
      kept_.clear();
      if (!read_more()) throw_changed(table_.name());
    }
    kept_.erase(0, offset - begin_);
    begin_ = offset;
    std::size_t end = kept_.find('\n');
    while (end == std::string::npos) {
      const std::size_t searched = kept_.size();
      if (!read_more()) return kept_;
      end = kept_.find('\n', searched);
    }
    return byte_view(kept_).sub(0, end);
  }

 private:
  bool read_more() {
    const std::uint64_t count = stream_->read(buffer_.data(), buffer_.size());
    kept_.append(buffer_.data(), count);
    return count > 0;
  }

  const source& table_;
  std::unique_ptr<byte_stream> stream_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 18);
  std::string kept_;  // bytes of the source from begin_ on
  std::uint64_t begin_ = 0;
};

std::int64_t number_in(byte_view text, const number_type& type, bool decimal_comma) {
  char made[comma_number::room];
  if (decimal_comma) text = comma_number::with_point(text, made);
  if (type.real) {
    const double number = parse_real(text).value;
    return ordered_bits(number == 0 ? 0.0 : number);
  }
  return parse_scaled(text, type.scale).value;
}

constexpr const char* held_name = "the picked rows";

}  // namespace

void require_rows_again(const input& tables, const grouping& asked) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].addressable() || tables[i].opens_again()) continue;
    const auto pick =
        std::ranges::find_if(asked.aggregates, [](const aggregate& one) { return is_pick(one.kind); });
    throw usage_error(quoted(tables[i].name()) + " can be read only once, and " + pick->heading() +
                      " reads the picked rows a second time; write it into a file first");
  }
}

picked_values::picked_values(std::vector<wanted_value> wanted, const input& tables, const column_plan& plan,
                             const grouping& asked, worker_pool& pool, shared_budget memory)
  : plan_(plan), fields_(plan.picked), wanted_(std::move(wanted)), held_(std::move(memory)) {
  for (unsigned i = 0; i < plan_.reads(); ++i) {
    const read_column& column = plan_.columns[i];
    if (column.use == column_use::picked) fields_[column.index] = column.field;
  }
  parallel_sort(wanted_, std::less<>(), pool);
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
  held_.take(wanted_.size() * (sizeof(wanted_value) + sizeof(picked_value)), held_name);
  values_.resize(wanted_.size());
  for (std::uint32_t s = 0; s < tables.size(); ++s) read_source(s, tables, pool);
  for (unsigned c = 0; c < plan.picked; ++c) types_.push_back(read_type(c, asked, pool));
}

void picked_values::read_source(std::uint32_t number, const input& tables, worker_pool& pool) {
  const source& table = tables[number];
  const auto index_of = [&](std::int64_t place) {
    const auto at = std::ranges::lower_bound(wanted_, place, {}, &wanted_value::place);
    return static_cast<std::size_t>(at - wanted_.begin());
  };
  const std::size_t begin = index_of(row_place(number, 0)), end = index_of(row_place(number + 1, 0));
  if (begin == end) return;
  if (!table.addressable()) {
    row_reader rows(table);
    for (std::size_t i = begin; i < end;)
      i = read_row(i, end, rows.row_at(offset_of(wanted_[i].place)), table.name());
    return;
  }
  const byte_view all = table.bytes();
  constexpr std::size_t values_at_once = 1024;
  pool.for_each_index((end - begin + values_at_once - 1) / values_at_once, [&](std::uint64_t part) {
    const std::size_t from = begin + part * values_at_once;
    const std::size_t to = std::min(from + values_at_once, end);
    for (std::size_t i = from; i < to;) {
      const std::uint64_t offset = offset_of(wanted_[i].place);
      if (offset >= all.size) throw_changed(table.name());
      i = read_row(i, to, all.sub(offset, find_byte(all, '\n', offset) - offset), table.name());
    }
  });
}

std::size_t picked_values::read_row(std::size_t index, std::size_t end, byte_view row,
                                    const std::string& table) {
  const bool is_json = plan_.format == row_format::json_lines;
  const field_list whole = fields{.delimiter = plan_.delimiter, .quote = plan_.quote}.fields_of({row, 0, 0});
  json_values members;
  if (is_json && json_scan(row, plan_.members, members).run() != json_status::row) throw_changed(table);
  const bool is_log = plan_.format == row_format::web_log;
  log_fields log;
  char iso_time[iso_time_bytes];
  if (is_log && read_log_row(row, plan_.log_host, iso_time, log) != log_row_kind::entry) throw_changed(table);
  const std::int64_t place = wanted_[index].place;
  for (; index < end && wanted_[index].place == place; ++index) {
    const std::uint32_t field = fields_[wanted_[index].column];
    if (is_json)
      read_member(field, members, values_[index]);
    else if (is_log)
      read_log_field(log.text[field], values_[index]);
    else if (!read_field(field, whole, values_[index]))
      throw_changed(table);
  }
  return index;
}

bool picked_values::read_field(std::uint32_t field, const field_list& row, picked_value& to) const {
  byte_view text;
  if (!row.get(field, text)) return false;
  to.missing = plan_.missing.has(text) || trimmed(text).empty();
  const bool doubled = is_quoted(text, row.whole().text, plan_.quote);
  for (std::uint64_t i = 0; i < text.size; ++i) {
    to.text += plan_.joins_lines && text[i] == joined_line_feed ? '\n' : text[i];
    if (doubled && text[i] == plan_.quote) ++i;
  }
  return true;
}

void picked_values::read_log_field(byte_view field, picked_value& to) {
  to.missing = trimmed(field).empty();
  to.text += field.text();
}

void picked_values::read_member(std::uint32_t column, const json_values& members, picked_value& to) {
  to.missing = !members.has(column);
  to.is_string = members.is_string(column);
  const byte_view text = members.text(column);
  if (!members.is_escaped(column)) {
    to.text += text.text();
    return;
  }
  static_cast<void>(decode_json(text, [&](char byte) {
    to.text += byte;
    return true;
  }));
}

std::optional<number_type> picked_values::read_type(unsigned column, const grouping& asked,
                                                    worker_pool& pool) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (wanted_[i].column == column && !values_[i].missing) indices.push_back(i);
  }
  const std::vector<std::string> numbers = asked.value_columns();
  const auto read = std::ranges::find(numbers, asked.picked_columns()[column]);
  if (read != numbers.end()) {
    const number_type type = plan_.types[read - numbers.begin()];
    for (const std::size_t i : indices)
      values_[i].number = number_in(trimmed(values_[i].value()), type, plan_.decimal_comma);
    return type;
  }
  if (std::ranges::any_of(indices, [&](std::size_t i) { return values_[i].is_string; })) return std::nullopt;
  held_.require(indices.size() * sizeof(value_row), held_name);
  std::vector<value_row> rows(indices.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string& text = values_[indices[i]].text;
    rows[i].rows = 1;
    rows[i].key = text.data();
    rows[i].key_size = static_cast<std::uint32_t>(text.size());
  }
  const std::optional<number_type> type = read_numbers(rows, pool, plan_.decimal_comma);
  for (std::size_t i = 0; i < rows.size(); ++i) values_[indices[i]].number = rows[i].number;
  return type;
}

const picked_values::picked_value* picked_values::find(const picked_row& row, unsigned column) const {
  if (!row.is_row()) return nullptr;
  const auto at = std::ranges::lower_bound(wanted_, wanted_value{row.place, column});
  const picked_value& found = values_[static_cast<std::size_t>(at - wanted_.begin())];
  return found.missing ? nullptr : &found;
}

cell picked_values::value(const picked_row& row, unsigned column, std::string& text) const {
  const picked_value* const found = find(row, column);
  if (found == nullptr) return missing_cell{};
  if (!types_[column]) return found->value();
  return aggregate_cell({.kind = aggregate_kind::least, .column = {}}, *types_[column], single(found->number),
                        {}, text);
}

std::optional<long double> picked_values::order(const picked_row& row, unsigned column) const {
  const picked_value* const found = find(row, column);
  if (found == nullptr || !types_[column]) return std::nullopt;
  return aggregate_order({.kind = aggregate_kind::least, .column = {}}, *types_[column],
                         single(found->number));
}

}  // namespace duomap::apps
