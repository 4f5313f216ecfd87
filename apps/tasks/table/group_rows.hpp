// Counts, sums and extremes of the columns of a table, for each key.
#pragma once

#include "apps/tasks/table/column_plan.hpp"
#include "apps/tasks/table/comma_number.hpp"
#include "apps/tasks/table/group_state.hpp"
#include "apps/tasks/table/json_condition.hpp"
#include "apps/tasks/table/json_row.hpp"
#include "apps/tasks/table/key_function.hpp"
#include "apps/tasks/table/key_sink.hpp"
#include "apps/tasks/table/log_fields.hpp"
#include "apps/tasks/table/row_fault.hpp"
#include "apps/tasks/table/scaled_number.hpp"
#include "apps/tasks/table/sketch_key.hpp"
#include "core/config.hpp"
#include "core/record/fields.hpp"
#include "core/reduce_fields.hpp"
#include "core/task.hpp"
#include "core/text/find_byte.hpp"
#include "gpu/make_backend.hpp"

#include <cstdint>

namespace duomap::apps {

/// Groups the rows of delimited text or JSON Lines that fulfil a condition (WHERE, GROUP BY). Such a row
/// emits its key and a state for one row. A row that cannot be counted emits the key of faults, with its
/// place in least[0] and greatest[0], and mixed_place() in count[0]. low[v] is 1 if the only fault is a
/// number for which the type of value column v is too narrow, and high[0] is 1 if the row has an odd number
/// of quotes.
///
/// A line feed separates the columns of a key, because no field contains a line feed. If plan.joins_lines,
/// joined_line_feed stands for the line feeds of a field. It then also stands for those that a string of JSON
/// has as escapes; otherwise a key with such an escape is a fault.
template <unsigned Values>
struct group_rows {
  using format = fields;
  using key = byte_view;
  using state = group_state<Values>;
  using reduce =
      reduce_fields<field_by<&state::rows, sum>, field_by<&state::count, sum>, field_by<&state::low, sum>,
                    field_by<&state::high, sum>, field_by<&state::real, sum>,
                    field_by<&state::least, minimum>, field_by<&state::greatest, maximum>>;
  static constexpr std::uint64_t max_emits_per_record = 1;
  static constexpr std::uint64_t max_extra_key_bytes = 64;
  static constexpr std::uint64_t most_made_bytes = 256;

  column_plan plan;

  [[nodiscard]] format records() const { return {.delimiter = plan.delimiter, .quote = plan.quote}; }

  /// The key of faults has one line feed for each key column. Any other key has fewer line feeds.
  [[nodiscard]] DUOMAP_HD byte_view fault_key(char* bytes) const {
    for (unsigned i = 0; i < plan.keys; ++i) bytes[i] = '\n';
    return {bytes, plan.keys};
  }

  /// A column of the key, without its quotes. The members have no initializers, because eight such columns
  /// would be zeroed for each row.
  struct key_field {
    const char* data;
    std::uint64_t size;
    bool escaped;  ///< the field has doubled quotes, or escapes of JSON
  };

  struct row_values {
    key_field keys[most_key_columns];  ///< the first plan.keys are set, unless the row is at fault
    state values;
    bool fulfils = true;  ///< the condition; a row that does not has no faults but those of comparisons
    row_fault fault = row_fault::none;
    unsigned column = 0;            ///< the index in plan.columns of the column at fault
    std::uint32_t present = 0;      ///< bit i: picked column i is not missing
    char iso_time[iso_time_bytes];  ///< of a line of a log
  };

  DUOMAP_HD void read(const field_list& row, row_values& found) const {
    const byte_view text = row.whole().text;
    found.values = no_rows<Values>();
    found.values.rows = 1;
    if (plan.format == row_format::json_lines) {
      read_json(text, found);
      return;
    }
    if (plan.format == row_format::web_log) {
#if defined(__CUDA_ARCH__)
      found.fault = row_fault::no_log_line;  // device_for() gives such rows to the CPU
#else
      read_log(text, found);
#endif
      return;
    }
    const char quote = row.quote();
    if (quote != '\0') {
      std::uint64_t quotes = 0;
      for (std::uint64_t at = find_byte(text, quote); at < text.size; at = find_byte(text, quote, at + 1))
        ++quotes;
      if (quotes % 2 != 0) {
        found.fault = row_fault::open_quote;
        return;
      }
    }
    byte_view field;
    bool has_field = false;
    std::uint32_t results = 0;
    const unsigned reads = plan.reads();
    std::uint32_t last_field = ~std::uint32_t{0};
    for (unsigned i = 0; i < reads; ++i) {
      const read_column& column = plan.columns[i];
      if (column.field != last_field) has_field = row.get(column.field, field);
      last_field = column.field;
      const row_fault fault =
          has_field ? use_field(column, field, text, quote, found, results) : row_fault::missing_field;
      if (fault != row_fault::none && add_fault(fault, i, found)) return;
    }
    apply_condition(results, found);
  }

  /// Joins the fields of the key, replaces doubled quotes by single ones, decodes escapes of JSON, and calls
  /// the functions of keys. Sets the column at fault.
  DUOMAP_HD row_fault make_key(row_values& found, key_sink& into) const {
    for (unsigned k = 0; k < plan.keys; ++k) {
      if (k > 0) into.put('\n');
      const key_field& field = found.keys[k];
      if (plan.makes_keys && plan.functions[k].kind != key_function_kind::none) {
        if (!put_function(k, field, found, into)) {
          for (unsigned i = 0; i < plan.reads(); ++i) {
            if (plan.columns[i].use == column_use::key && plan.columns[i].index == k) found.column = i;
          }
          return row_fault::unreadable;
        }
      } else {
        put_field(field, into);
      }
      if (!into.fits) return row_fault::long_key;
    }
    return row_fault::none;
  }

  DUOMAP_HD void map(const field_list& row, auto& emit) const {
    visit(row, [&](byte_view bytes, const state& values, std::uint32_t) { emit(bytes, values); });
  }

  /// Calls use(key, state, present) for a row that fulfils the condition, and for one at fault. `present` is
  /// that of row_values.
  DUOMAP_HD void visit(const field_list& row, auto&& use) const {
    const line& whole = row.whole();
    if (whole.text.empty() || whole.text[0] == plan.comment) return;
    front kind = front::read;
    if (whole.offset <= plan.last_header) [[unlikely]]
      kind = front_line(whole.text, whole.offset);
    if (kind == front::skip) return;
    row_values found;
    if (kind == front::read)
      read(row, found);
    else
      found.fault = row_fault::header;
    if (!found.fulfils) return;
    if (found.fault == row_fault::none) {
      if (plan.keys == 1 && !plan.makes_keys && !found.keys[0].escaped) {
        use(byte_view(found.keys[0].data, found.keys[0].size), found.values, found.present);
        return;
      }
      char made[most_made_bytes];
      const std::uint64_t most = whole.text.size + max_extra_key_bytes;
      key_sink joined{made, most < most_made_bytes ? most : most_made_bytes};
      found.fault = make_key(found, joined);
      if (found.fault == row_fault::none) {
        use(byte_view(made, joined.size), found.values, found.present);
        return;
      }
    }
    state fault = no_rows<Values>();
    fault.rows = 1;
    fault.least[0] = fault.greatest[0] = row_place(whole.source, whole.offset);
    fault.count[0] = mixed_place(fault.least[0]);
    if (found.fault == row_fault::other_number) fault.low[plan.columns[found.column].index] = 1;
    fault.high[0] = found.fault == row_fault::open_quote ? 1 : 0;
    char bytes[most_key_columns];
    use(fault_key(bytes), fault, found.present);
  }

 private:
  /// The treatment of one of the first lines of a source.
  enum class front : unsigned char { skip, read, other_header };

  [[nodiscard, gnu::noinline]] DUOMAP_HD front front_line(byte_view text, std::uint64_t offset) const {
    if (plan.has_separator && offset == 0) return front::skip;
    if (!plan.has_header) return front::read;
    if (line_hash(text) == plan.header_hash) return front::skip;
    return offset == 0 ? front::other_header : front::read;
  }

  /// Adds a fault of plan.columns[i]. Returns whether later columns of the row change nothing any more.
  DUOMAP_HD bool add_fault(row_fault fault, unsigned i, row_values& found) const {
    const bool decides = plan.columns[i].use == column_use::comparison;
    if (decides || found.fault == row_fault::none) {
      found.fault = fault;
      found.column = i;
    }
    return decides || plan.where.count == 0;
  }

  DUOMAP_HD void apply_condition(std::uint32_t results, row_values& found) const {
    if (plan.where.holds(results)) return;
    found.fulfils = false;
    found.fault = row_fault::none;
  }

  DUOMAP_HD void read_json(byte_view row, row_values& found) const {
    json_values members;
    const json_status status = json_scan(row, plan.members, members).run();
    if (status != json_status::row) {
      found.fulfils = status != json_status::blank;
      found.fault = row_fault::no_json;
      return;
    }
    std::uint32_t results = 0;
    for (unsigned i = 0; i < plan.reads(); ++i) {
      const row_fault fault = use_member(plan.columns[i], members, found, results);
      if (fault != row_fault::none && add_fault(fault, i, found)) return;
    }
    apply_condition(results, found);
  }

  void read_log(byte_view row, row_values& found) const {
    log_fields fields;
    const log_row_kind kind = read_log_row(row, plan.log_host, found.iso_time, fields);
    if (kind != log_row_kind::entry) {
      found.fulfils = kind != log_row_kind::blank;
      found.fault = row_fault::no_log_line;
      return;
    }
    std::uint32_t results = 0;
    for (unsigned i = 0; i < plan.reads(); ++i) {
      const read_column& column = plan.columns[i];
      const row_fault fault = use_field(column, fields.text[column.field], row, '\0', found, results);
      if (fault != row_fault::none && add_fault(fault, i, found)) return;
    }
    apply_condition(results, found);
  }

  /// use_field() for a member of a JSON object.
  DUOMAP_HD row_fault use_member(const read_column& column, const json_values& members, row_values& found,
                                 std::uint32_t& results) const {
    const byte_view text = members.text(column.field);
    if (column.use == column_use::value)
      return members.is_string(column.field) ? row_fault::no_number
                                             : read_number(text, column.index, found.values);
    if (column.use == column_use::key) {
      const bool escaped = members.is_escaped(column.field);
      found.keys[column.index] = {text.data, text.size, escaped};
      if (plan.joins_lines)
        return find_byte(text, joined_line_feed) < text.size ? row_fault::line_feed : row_fault::none;
      return escaped && decodes_to_line_feed(text) ? row_fault::line_feed : row_fault::none;
    }
    if (column.use == column_use::picked) {
      found.present |= std::uint32_t{members.has(column.field)} << column.index;
      return row_fault::none;
    }
    bool result = false;
    if (!compare_member(members, column.field, plan.where, column.index, result)) return row_fault::no_number;
    results |= std::uint32_t{result} << column.index;
    return row_fault::none;
  }

  /// `results` gets the results of comparisons, as row_condition::holds() takes them.
  DUOMAP_HD row_fault use_field(const read_column& column, byte_view field, byte_view line, char quote,
                                row_values& found, std::uint32_t& results) const {
    char made[comma_number::room];
    if (plan.has_special_fields) [[unlikely]]
      field = special_field(column, field, made);
    if (column.use == column_use::value) return read_number(field, column.index, found.values);
    const bool escaped = is_quoted(field, line, quote) && find_byte(field, quote) < field.size;
    if (column.use == column_use::key) {
      found.keys[column.index] = {field.data, field.size, escaped};
      return row_fault::none;
    }
    if (column.use == column_use::picked) {
      found.present |= std::uint32_t{!trimmed(field).empty()} << column.index;
      return row_fault::none;
    }
    bool result = false;
    if (!compare_field(field, escaped ? quote : '\0', plan.where, column.index, result))
      return row_fault::no_number;
    results |= std::uint32_t{result} << column.index;
    return row_fault::none;
  }

  /// An empty field for a text that stands for a missing value; `made` with a point for a number's comma.
  [[nodiscard, gnu::noinline]] DUOMAP_HD byte_view special_field(const read_column& column, byte_view field,
                                                                 char* made) const {
    if (plan.missing.has(field)) return field.sub(0, 0);
    const bool is_number = column.use == column_use::value ||
                           (column.use == column_use::comparison &&
                            plan.where.comparisons[column.index].constant != comparison::constant_kind::text);
    return is_number && plan.decimal_comma ? comma_number::with_point(field, made) : field;
  }

  /// Reads a field into the state. An empty field is not counted, and is no fault. Few fields have spaces
  /// around their number, so these are looked for last.
  DUOMAP_HD row_fault read_number(byte_view field, unsigned v, state& values) const {
    const row_fault fault = read_exact_number(field, v, values);
    if (fault != row_fault::no_number) return fault;
    const byte_view text = trimmed(field);
    return text.size < field.size ? read_exact_number(text, v, values) : fault;
  }

  DUOMAP_HD row_fault read_exact_number(byte_view text, unsigned v, state& values) const {
    if (text.empty()) return row_fault::none;
    if (plan.types[v].real) {
      const parsed<double> number = parse_real(text);
      if (number.status != parse_status::number) return row_fault::no_number;
      put_real(number.value, v, values);
      return row_fault::none;
    }
    const scaled_number number = parse_scaled(text, plan.types[v].scale);
    if (number.status != scaled_status::number)
      return is_any_number(text) ? row_fault::other_number : row_fault::no_number;
    put_units(number.value, v, values);
    return row_fault::none;
  }

  /// Writes a field of the key as its text. A field that does not fit is written in part.
  DUOMAP_HD void put_field(const key_field& field, key_sink& into) const {
    if (plan.format == row_format::json_lines && field.escaped) {
      static_cast<void>(decode_json({field.data, field.size}, [&into](char byte) {
        return into.put(byte == '\n' ? joined_line_feed : byte);
      }));
      return;
    }
    for (std::uint64_t i = 0; i < field.size; ++i) {
      if (!into.put(field.data[i])) return;
      if (field.escaped && field.data[i] == plan.quote) ++i;
    }
  }

  /// Writes the value of a function. Returns false if it cannot read the field.
  DUOMAP_HD bool put_function(unsigned k, const key_field& field, row_values& found, key_sink& into) const {
    byte_view text(field.data, field.size);
    if (field.escaped) {
      // The function reads its decoded text in the place of its value.
      const std::uint64_t begin = into.size;
      put_field(field, into);
      if (!into.fits) return true;
      text = {into.to + begin, into.size - begin};
      into.size = begin;
    }
    char made[comma_number::room];
    if (plan.decimal_comma && plan.functions[k].kind == key_function_kind::floor)
      text = comma_number::with_point(text, made);
    if (!plan.functions[k].is_sketch()) return put_made_key(plan.functions[k], text, into);
    put_sketch(plan.functions[k], text, found.values, into);
    return true;
  }

  /// Writes the key of a sketch, and puts the rank of a register into the row's state. A missing value writes
  /// nothing.
  DUOMAP_HD void put_sketch(const key_function& function, byte_view text, state& values,
                            key_sink& into) const {
    if (function.value < 0) {
      if (!trimmed(text).empty()) put_hash(sketch_hash(text), values, into);
      return;
    }
    const auto v = Values == 1 ? 0u : static_cast<unsigned>(function.value);  // compilers see one place
    if (values.count[v] == 0) return;
    const bool real = plan.types[v].real;
    std::int64_t number = values.least[v];
    if (function.kind == key_function_kind::bucket_of_number) {
      put_bucket_of(real ? number : ordered_bits(static_cast<double>(number)), into);
      return;
    }
    if (real && number == ordered_bits(-0.0)) number = ordered_bits(0.0);
    put_hash(sketch_hash(number), values, into);
  }
  DUOMAP_HD void put_hash(std::uint64_t hash, state& values, key_sink& into) const {
    values.greatest[Values == 1 ? 0 : plan.values] = rank_of(hash);
    put_register(hash, into);
  }
};

}  // namespace duomap::apps

template <unsigned Values>
inline constexpr bool duomap::gpu::has_code<duomap::apps::group_rows<Values>> = DUOMAP_HAS_CUDA;
