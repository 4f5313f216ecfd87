// Fuzzes files of numbers in any format and compression: any file is a table or an error, and labels from a
// second file stay with their rows when bad rows are dropped. The first three bytes are the options and the
// size of the file of labels, which stands behind the table.
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "numeric/common/read_table.hpp"
#include "tests/fuzz/fuzz_check.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace {

using namespace duomap;

/// A file in memory, with a path.
struct memory_file {
  file_descriptor file{::memfd_create("fuzz", MFD_CLOEXEC)};

  explicit memory_file(byte_view content) {
    test::require(::write(file.get(), content.data, content.size) == static_cast<ssize_t>(content.size),
                  "a file in memory can be written");
  }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file.get()); }
};

std::optional<labelled_table<float>> read(const std::string& path, const table_options& options) {
  try {
    return read_table<float>(path, options);
  } catch (const input_error&) {
  } catch (const usage_error&) {
  } catch (const out_of_memory&) {
  }
  return std::nullopt;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const byte_view rest(reinterpret_cast<const char*>(data) + 3, size - 3);
  const bool has_labels = (data[0] & 1) != 0;
  const std::uint64_t label_bytes = has_labels ? std::min<std::uint64_t>(data[2], rest.size) : 0;
  const memory_file table_file(rest.sub(0, rest.size - label_bytes));
  const memory_file label_file(rest.sub(rest.size - label_bytes, label_bytes));
  table_options options;
  options.threads = 1;
  if (has_labels) options.labels_path = label_file.path();
  options.allow_non_finite = (data[0] & 2) != 0;
  if ((data[1] & 7) < 4) options.format = static_cast<data_format>(data[1] & 3);

  const auto strict = read(table_file.path(), options);
  options.rows = bad_rows::drop;
  const auto lenient = read(table_file.path(), options);
  test::require(!strict || lenient, "without its bad rows a table has no more errors than with them");
  if (!lenient) return 0;
  const matrix_view<float> values = lenient->values.view();
  // A row of LIBSVM text may have a thousand million columns, nearly all of them zeros that the text leaves
  // out.
  constexpr std::uint64_t most_values = 1 << 20;
  for (const float value :
       values.values().first(std::min<std::uint64_t>(values.values().size(), most_values)))
    test::require(options.allow_non_finite || std::isfinite(value), "values are finite");
  test::require(!has_labels || lenient->label_of_row.size() == values.rows, "each row has a label");
  for (const std::uint32_t label : lenient->label_of_row)
    test::require(label < lenient->classes.size(), "each label is a class");
  return 0;
}
