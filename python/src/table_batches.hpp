// Takes the batches of Arrow tables, a few at a time.
#pragma once

#include "apps/tasks/table/batch_layout.hpp"
#include "apps/tasks/table/group_batches.hpp"
#include "apps/tasks/table/grouping.hpp"
#include "arrow_reader.hpp"

#include <nanobind/nanobind.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace duomap::python {

/// The batches of tables that a Python iterator gives: tuples of one capsule (a stream) or of two (the schema
/// and the array of one batch). The columns of a grouping must have the same types in all tables. Call it
/// without the GIL, on the thread of the caller, to which the iterator may belong.
class table_batches {
 public:
  /// Opens the first table.
  /// @throws usage_error when there is no table, or as find_batch_layout(); Python's exceptions of the
  /// iterator
  table_batches(nanobind::handle tables, const apps::grouping& asked);

  [[nodiscard]] const apps::batch_layout& layout() const noexcept { return *layout_; }
  /// meaning_of() each key column.
  [[nodiscard]] const std::vector<std::string>& key_meanings() const noexcept { return key_meanings_; }
  /// meaning_of() each column of different values.
  [[nodiscard]] const std::vector<std::string>& set_meanings() const noexcept { return set_meanings_; }

  /// Releases the batches that it gave before, and gives the next ones: about 64 MiB, or one larger batch.
  /// @throws input_error; Python's exceptions, also those of signal handlers
  [[nodiscard]] std::optional<apps::column_batches> next();

 private:
  bool open_table();
  void add(const std::shared_ptr<ArrowArray>& batch, apps::column_batches& to);

  nanobind::handle tables_;
  const apps::grouping& asked_;
  std::optional<arrow_reader> reader_;
  std::optional<apps::batch_layout> layout_;  // of the first table
  std::vector<std::string> key_meanings_;
  std::vector<std::string> set_meanings_;
  std::vector<std::uint32_t> places_;  // the columns of the table that is read now
  std::vector<std::shared_ptr<ArrowArray>> held_;
  std::deque<apps::column_view> dictionaries_;
  std::uint64_t held_bytes_ = 0;
};

}  // namespace duomap::python
