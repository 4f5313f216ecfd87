// Tests that the options of commands become the options of read_table().
#include "numeric/commands/table_flags.hpp"

#include "apps/cli/app.hpp"
#include "core/error.hpp"
#include "core/output/byte_sink.hpp"
#include "core/run_control.hpp"
#include "tests/catch.hpp"

namespace duomap::test::numeric_commands_table_flags_test {

using apps::table_flags;

struct one_run {
  apps::run_arguments options;
  run_control control;
  byte_sink unused{-1, "nothing"};
  apps::run_context context{options, control, unused};
};

table_options table_options_of(const table_flags& flags) {
  return apps::table_options_of(one_run().context, flags);
}

TEST_CASE("Flags of tables become the options of reading") {
  const table_options plain = table_options_of({});
  CHECK_FALSE(plain.format);
  CHECK_FALSE(plain.delimiter);
  CHECK_FALSE(plain.header);
  CHECK(plain.symbols == symbol_columns::error);
  CHECK(plain.rows == bad_rows::error);
  table_flags flags;
  flags.format = "libsvm";
  flags.delimiter = "tab";
  flags.header = "no";
  flags.columns = {"x", "3"};
  flags.symbols = "leave-out";
  flags.rows = "drop";
  const table_options options = table_options_of(flags);
  CHECK(options.format == data_format::libsvm);
  CHECK(options.delimiter == '\t');
  CHECK(options.header == false);
  CHECK(options.columns == flags.columns);
  CHECK(options.symbols == symbol_columns::leave_out);
  CHECK(options.rows == bad_rows::drop);
}

TEST_CASE("Tables are read by the threads of a run, which it can cancel") {
  one_run run;
  run.options.threads = 3;
  const table_options options = apps::table_options_of(run.context);
  CHECK(options.threads == 3);
  CHECK(options.control == &run.control);
}

TEST_CASE("A delimiter on the command line is a word or a character") {
  table_flags flags;
  for (const char* word : {"|", ":", "comma", "space", "semicolon"}) {
    flags.delimiter = word;
    CHECK(table_options_of(flags).delimiter);
  }
  for (const char* word : {"", "ab", "commas"}) {
    flags.delimiter = word;
    CHECK_THROWS_AS(table_options_of(flags), usage_error);
  }
}

}  // namespace duomap::test::numeric_commands_table_flags_test
