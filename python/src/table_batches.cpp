// Reads batches until they have enough bytes, and points to the columns that a grouping reads.
#include "table_batches.hpp"

#include "arrow_checks.hpp"
#include "arrow_columns.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <utility>

namespace duomap::python {
namespace {

namespace nb = nanobind;

constexpr std::uint64_t bytes_at_once = std::uint64_t{64} << 20;

std::vector<std::string> meanings_of(const ArrowSchema& schema, const std::vector<std::uint32_t>& places) {
  std::vector<std::string> all;
  for (const std::uint32_t place : places) all.push_back(meaning_of(*schema.children[place]));
  return all;
}

bool same_types(const apps::batch_layout& a, const apps::batch_layout& b) {
  return std::ranges::equal(a.plan.keys.forms, b.plan.keys.forms) &&
         std::ranges::equal(a.plan.types, b.plan.types) &&
         std::ranges::equal(a.sets, b.sets, {}, &apps::value_set::form, &apps::value_set::form);
}

void stop_for_signals() {
  const nb::gil_scoped_acquire hold;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

table_batches::table_batches(nb::handle tables, const apps::grouping& asked)
  : tables_(tables), asked_(asked) {
  if (!open_table()) throw usage_error("there is no table: what was given has no batches, and so no columns");
}

bool table_batches::open_table() {
  const nb::gil_scoped_acquire hold;
  const nb::object capsules = nb::steal(PyIter_Next(tables_.ptr()));
  if (!capsules.is_valid()) {
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return false;
  }
  if (nb::len(capsules) == 1) {
    reader_.emplace(nb::cast<nb::capsule>(capsules[0]));
  } else {
    reader_.emplace(nb::cast<nb::capsule>(capsules[0]), nb::cast<nb::capsule>(capsules[1]));
  }
  const ArrowSchema& schema = reader_->schema();
  if (!is_table(schema))
    throw usage_error("this is one column of Arrow; give a table, whose columns have names");
  std::vector<apps::column_type> types;
  for (std::int64_t i = 0; i < schema.n_children; ++i) types.push_back(column_type_of(*schema.children[i]));
  apps::batch_layout found = apps::find_batch_layout(types, asked_);
  places_ = found.columns;
  const auto keys = places_.begin() + found.plan.keys.count;
  const auto sets = places_.end() - found.plan.sets;
  std::vector<std::string> of_keys = meanings_of(schema, {places_.begin(), keys});
  std::vector<std::string> of_sets = meanings_of(schema, {sets, places_.end()});
  if (!layout_) {
    layout_ = std::move(found);
    key_meanings_ = std::move(of_keys);
    set_meanings_ = std::move(of_sets);
  } else if (!same_types(*layout_, found) || key_meanings_ != of_keys || set_meanings_ != of_sets) {
    throw usage_error("the columns of the tables have different types; cast them to the types of the first");
  }
  return true;
}

std::optional<apps::column_batches> table_batches::next() {
  held_.clear();
  held_bytes_ = 0;
  dictionaries_.clear();
  apps::column_batches some;
  while (reader_ && held_bytes_ < bytes_at_once) {
    stop_for_signals();
    if (const std::shared_ptr<ArrowArray> batch = reader_->next()) {
      add(batch, some);
    } else {
      reader_.reset();
      open_table();
    }
  }
  if (some.rows.empty()) return std::nullopt;
  return some;
}

void table_batches::add(const std::shared_ptr<ArrowArray>& batch, apps::column_batches& to) {
  const ArrowSchema& schema = reader_->schema();
  check_array(*batch, {.buffers = 1, .children = schema.n_children}, schema.format);
  if (batch->length == 0) return;
  if (batch->null_count != 0 && batch->buffers[0] != nullptr) {
    for (std::int64_t row = batch->offset; row < batch->offset + batch->length; ++row)
      if (!apps::bit_at(batch->buffers[0], static_cast<std::uint64_t>(row)))
        throw usage_error("rows of the Arrow table are null");
  }
  std::vector<arrow_rows> columns;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowArray& child = *batch->children[i];
    columns.push_back({*schema.children[i], child, sum_of(child.offset, batch->offset), batch->length});
    held_bytes_ += bytes_of_rows(columns.back());
  }
  for (const std::uint32_t place : places_) to.columns.push_back(view_of_rows(columns[place], dictionaries_));
  to.rows.push_back(static_cast<std::uint64_t>(batch->length));
  held_.push_back(batch);
}

}  // namespace duomap::python
