// The application `aggregate`: counts, sums and extremes by key, over tables and over pairs of numbers.
#include "apps/cli/keyed_rows.hpp"
#include "apps/cli/options.hpp"
#include "apps/cli/part_of_run.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/group_tables.hpp"
#include "apps/commands/registry.hpp"
#include "apps/tasks/aggregate/aggregate.hpp"
#include "core/deterministic.hpp"
#include "core/error.hpp"
#include "core/verify/verify.hpp"
#include "duomap.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Counts, sums, smallest and largest numbers, means, quantiles and different values by
key, over tables of text: SELECT keys, aggregates ... WHERE condition GROUP BY
keys. Without --by: sums over binary pairs.

Tables (--by)
  record   a line of delimited text, whose fields may stand between quotes;
           empty lines are skipped. The first line of each file may name the
           columns; columns have numbers, too, from 1 on
           A line ends with LF, CR LF, or CR alone, as the first line shows. A field
           in quotes may go over the end of a line (--quoted-lines): one thread
           then follows the quotes, and the text must not have the byte 0xFF
           A first line "sep=;" gives the delimiter. Lines that begin with the
           character of --comment, also in front of the header, do not count
           Or, with --input-format, a line of JSON Lines, which is a JSON object, or
           of a web server's log
  map      keys -> 1, and the number in each column that is asked for
  key      the bytes of the columns of --by, without quotes; "1" and "01" are
           different keys
  functions
           make keys of a column of text or JSON; null, the empty field, makes the empty key.
           year(t), month(t), day(t), hour(t): the moment t truncated, as YYYY, YYYY-MM,
           YYYY-MM-DD, YYYY-MM-DDTHH. t is a date of ISO 8601, alone or behind T or a
           space with a time: hh, hh:mm, hh:mm:ss, with a fraction and a zone. The
           date is the one that the text shows, whatever its zone. Or t is seconds since
           1970, in UTC; eight digits alone are refused, because they may be a date.
           lower(x), upper(x): the letters of ASCII in one case; left(x, N): the first
           N characters of UTF-8, 1 to 256. prefix(ip, N): the network of the first N
           bits, 10.1.2.0/24; that of an IPv6 address as RFC 5952 writes it, without
           dots; prefix(ip, N, M) takes N bits of IPv4 and M of IPv6. floor(x, W):
           the largest multiple of the decimal W that is not above x, exactly, with
           the digits of W behind the point; x may have an exponent.
           A column whose whole name is like a call wins in delimited text; in JSON the
           function does. A text that the function cannot read is a bad row
  reduce   for each column the number, sum, smallest and largest of its numbers;
           associative, commutative. Integers and decimals are added exactly;
           doubles depend on threads and devices in their last bits
  numbers  the type of a column is found in the first 64 KiB: integer, decimal(N)
           with N digits behind the point, or real (doubles); --types declares
           it. A number that a found type cannot hold makes duomap read the
           table again with doubles for that column; a number that a declared
           type cannot hold is a bad row. Spaces around a number count for
           nothing. An empty field is missing: it counts as a row (--count), and
           in no aggregate of its column. So is a field that is a text of --null; as
           a key it is the empty text. With --decimal-comma 1234,5 is a number, and
           1.234,5 is none; constants and output have a point
  values   --distinct, --median, --quantile, --mode, --var and --std need all different
           values of their column, so the column becomes one more column of keys,
           and the rows of the result are grouped once more by those of --by.
           They are exact, and need memory for each different value of each key.
           The input is read once for each such column, so a pipe can have one, and
           so can a run in parts. Values are numbers if the column's type is
           declared, if an aggregate of the run but distinct and mode reads it, or
           if all of them are integers or decimals that 64 bits hold, or doubles of
           up to 17 digits, and none has a zero before other digits. 1 and 1.0 are
           then one value, and so are 0.0 and -0.0; otherwise the bytes are compared.
           quantile(x,P) is at P times (numbers - 1) in the sorted numbers, and
           between two of them it is interpolated; median(x) is at 0.5. mode(x) is
           the most frequent value, of equally frequent ones the smallest. var(x) and
           std(x) are those of a sample, and missing for a single number
  about    --approx-distinct and --approx-quantile need little memory: at most 4096
           registers, or one bucket of numbers of nearly equal size, for each key.
           The answer depends on the values alone, not on their order, threads,
           devices or parts. They have one more column of keys, too, so the
           input is read once for each of them and each column.
           approx_distinct(x) has a standard error of 1.6 %, whatever x is (HyperLogLog
           with 4096 registers): 68 % of answers are within 1.6 %, 95 % within 3.3 %, 99.7 %
           within 4.9 %. Ten values or fewer are counted exactly in 99 of 100 cases. It
           compares the numbers if the column's type is declared or another aggregate of the run
           adds its numbers up; otherwise the bytes, so 1 and 1.0 are then two values.
           approx_quantile(x,P) is quantile(x,P) with an error of at most 1 % of the
           larger one of the two numbers that it lies between, and exact where each
           bucket has one different number. A bucket has the numbers of one sign whose first seven binary digits
           are equal; numbers nearer to 0 than 2.3e-308 have larger errors
  rows     --first, --last, --any, --argmin and --argmax are the value of a column in one
           row of the group, in the order of the rows in the input. --first and --last
           take it even if it is missing; --any takes the first one that is not. argmin(x,y)
           and argmax(x,y) are x in the row with the smallest or largest number y; rows
           without x or without y are left out, and of equal numbers the earliest row
           counts. x=y:K gives the K best rows, 16 at most, as columns; a column is missing
           if there are fewer rows. Values are numbers as those of values above, if all
           values of the column in the answer are; a string of JSON is a text. The rows
           are read a second time after the run, so the input cannot be a pipe, and there
           are no parts. CPU only
  --where  comparisons of columns with constants: COLUMN OPERATOR CONSTANT with the
           operators = != < <= > >=, COLUMN is [not] null, COLUMN [not] in (CONSTANT,
           ...), COLUMN [not] between CONSTANT and CONSTANT, COLUMN [not] like
           'PATTERN'. not, and, or and parentheses join them, and bind as in SQL.
           A number as constant compares numbers, decimals exactly; a text in single
           quotes compares bytes. In a pattern % stands for any bytes, and _ for one
           character of UTF-8. A column whose name is no word stands in double
           quotes. No comparison but is null is true of an empty field, nor is its
           opposite with not
  bad row  a field that is no number, too few fields, an odd number of quotes, a
           file with another first line: an error that names the line, or
           counted and left out (--bad-rows drop). --quoted-lines auto reads the
           files again if a row has an odd number of quotes, some fields in quotes
           go over the end of a line, and each of them closes in front of a
           delimiter or a line end. If lines are in front of a header, another
           header is always an error. A row that --where leaves out may have any
           text in the other columns
  JSON     columns are members of the object. user.id is the member id of the object
           user; if the object has a member whose name is "user.id", that one counts.
           Names with dots inside of other objects, and elements of lists, have no
           column names. If a name repeats in an object, its last member counts. A member
           that is not there, and null, are missing; as a key both are the empty text.
           A string as key has its escapes decoded; any other value as key is its
           JSON text as it stands in the row. A string is no number. An empty string
           is no null
           bad row: a line that is no JSON object by RFC 8259, objects and lists
           nested deeper than 64, a key with the byte 0xFF. Every byte of a row is
           checked, but not whether its bytes from 0x80 on are UTF-8
  logs     --input-format common or combined (both read lines of both), vhost_combined
           or lighttpd. "duomap describe pageviewcount" defines the lines; others are
           bad rows. Columns: client or host, vhost, identity, user, time, request,
           method, url, path, query, protocol, status, bytes, referer, agent. A field
           "-" is missing, and so is a field that the line does not have. client has no
           port. time is ISO 8601, with the zone of the log: 2000-10-10T13:55:36-07:00.
           method, url, path (the URL up to the question mark), query and protocol are
           missing if the request is none. Other fields are as they stand in the log,
           with its escapes. Logs are read on the CPU only
  limits   8 columns of keys, where a column of values counts as one, 16 of
           numbers, 16 comparisons, 256 bytes of texts and lists in a condition; 16 lists of
           picked rows, of 64 rows together; 4,294,967,295 integers or decimals in a sum,
           which has all its digits; keys of several columns, of functions, or with doubled
           quotes or escapes of JSON, of 256 bytes; 47 names of members; 8 texts of --null,
           of together 35 bytes
  output   the columns of --by as they are written there, then the aggregates in the
           order of the options:
           count, sum(x), min(x), max(x), mean(x), count(x), distinct(x),
           median(x), quantile(x,P), mode(x), var(x), std(x), approx_distinct(x),
           approx_quantile(x,P), first(x), last(x), any(x), argmin(x,y), argmax(x,y) or
           argmax(x,y,RANK); by default count.
           An aggregate of no number is missing, but count(x), distinct(x) and
           approx_distinct(x) are 0. --sort value and --top go by the first aggregate

Pairs (without --by; --input-format pairs): SELECT key, sum(value) ... GROUP BY key
  record   a pair of 8 bytes: a 32-bit unsigned key and a value, a 32-bit
           signed integer or with --values float32 a float, both
           little-endian, one pair after the other without a header; bytes
           after the last whole pair are ignored; a file that begins like a
           text, an .npy array or a compressed file is refused, unless
           --no-decompress is given
  map      key -> value
  key      the 32-bit number
  reduce   sum of 64-bit integers; associative, commutative, identity 0;
           with --values float32 sum of doubles, which depends on threads
           and devices in its last bits
           with --deterministic too, the same bits always: wrong by at most
           half a unit in the last place of the sum and, for n values, n / 2^30
           units in the last place (of a double) of the largest value
  output   key, sum

Examples
  duomap run aggregate --by station --mean temperature --sort key readings.csv
  duomap run aggregate --by country,city --count --sum price --max price --top 20 \
    --format csv sales/
  duomap run aggregate --by city --sum price --where "price > 0 and year >= 2020" \
    sales.csv
  duomap run aggregate --by city --distinct customer --median price --top 10 sales.csv
  duomap run aggregate --by city --median price --quantile price=0.05,0.95 --std price \
    sales.csv
  duomap run aggregate --by city --approx-distinct customer --approx-quantile price=0.95 \
    sales.csv
  duomap run aggregate --by 'day(time),prefix(ip, 24)' --sum bytes requests.csv
  duomap run aggregate --by city --max price --argmax customer=price:3 sales.csv
  duomap run aggregate --by 1 --min 2 --max 2 --mean 2 --delimiter ';' lines.txt
  duomap run aggregate --by user.country --sum price --where "ok = 'true'" sales.jsonl
  duomap run aggregate --by path --count --sum bytes --top 10 --input-format combined \
    access.log
  duomap run aggregate --sort key pairs.bin
  duomap run aggregate --values float32 --deterministic pairs.bin
  duomap run aggregate --top 10 --format csv -o sums.csv pairs/
)";

struct command_options {
  std::string values;
  group_flags table;
};

// Static, because the program runs only one command.
command_options& options_of_this_run() {
  static command_options options;
  return options;
}

void add_options(CLI::App& command) {
  command_options& into = options_of_this_run();
  add_group_flags(command, into.table);
  add_choice(command, "--values", into.values,
             "pairs: what the values are (default int32); float32\nare summed as doubles",
             {"int32", "float32"});
}

// Opens an input of pairs of numbers. Adds advice to the error for a text, which is perhaps a table.
input pairs_of(const run_arguments& options) {
  try {
    return input_of(options, input_content::numbers);
  } catch (input_error& problem) {
    if (std::string_view(problem.what()).find("it is a text") != std::string_view::npos)
      problem.add("; for a table of text, give the columns of its keys: --by COLUMN");
    throw;
  }
}

template <class Task>
run_report sum_pairs(const Task& task, run_context& context) {
  const run_arguments& options = context.options;
  const input pairs = pairs_of(options);
  if (options.verify) report_laws(verify(task, pairs), options.quiet);

  run_report report;
  const auto pool = cpu::machine_pool(options.threads.value_or(0), pairs);
  const bool floats = options_of_this_run().values == "float32";
  std::string parameters = std::string("--values ") + (floats ? "float32" : "int32");
  // --deterministic changes nothing for integers, so partials made with and without it may be merged.
  if (options.deterministic && floats) parameters += " --deterministic";
  const auto found = run_selected_stage(task, pairs, *pool, context, report, {"aggregate", parameters});
  report.task = "aggregate";
  if (found.result) write_rows(*found.result, {"key", "sum"}, options, context.sink, *pool);
  return report;
}

run_report run_aggregate(run_context& context) {
  const command_options& mine = options_of_this_run();
  if (mine.table.asks_for_groups()) {
    if (!mine.values.empty())
      throw usage_error("--values is for binary pairs; leave it out, or leave out --by");
    return group_tables(context, mine.table);
  }
  if (mine.values != "float32") {
    run_report report = sum_pairs(sum_by_key<std::int64_t>{}, context);
    note_exact_task(context.options, report);
    return report;
  }
  if (context.options.deterministic) return sum_pairs(deterministic{float_sum_by_key{}}, context);
  return sum_pairs(float_sum_by_key{}, context);
}

}  // namespace

constinit const app aggregate_app{
    .name = "aggregate",
    .summary = "counts, sums, extremes and means by key, over tables or binary pairs",
    .description = description,
    .add_options = add_options,
    .has_parts = true,
    .run = run_aggregate,
};

}  // namespace duomap::apps
