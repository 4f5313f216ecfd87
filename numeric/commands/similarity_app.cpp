// The application `similarity`: compares all pairs of documents or rows.
#include "apps/cli/options.hpp"
#include "core/add_note.hpp"
#include "core/output/float_cell.hpp"
#include "duomap.hpp"
#include "numeric/commands/applications.hpp"
#include "numeric/commands/table_flags.hpp"
#include "numeric/common/read_table.hpp"
#include "numeric/similarity/bag_of_words.hpp"
#include "numeric/similarity/similarity.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Finds which vectors, or which texts, are nearly the same.

  input    one file of numbers, a vector in each row: .npy, CSV, TSV, LIBSVM,
           IDX; rows count from 0. With --words files or lines: texts, of
           which each file or each line is a document, and its vector is how
           often each word occurs in it; words are those of `duomap describe
           wordcount`, in small letters. --weights tf-idf: that times
           ln((1 + D) / (1 + d)) + 1 for a word in d of the D documents
  record   a row
  map      its cosines with the other rows, by products of tiles of rows
           (OpenBLAS or kernels of duomap on the CPU, cuBLAS on GPUs), of
           which those worth keeping are emitted
  reduce   nothing; pairs are collected
  output   first, second, cosine (of texts FILE, or FILE:LINE): with
           --threshold T each pair of at least that cosine, first < second;
           otherwise for each row the 10, or --top K, others of the largest
           cosine, best first, of equal ones the smaller number

The cosine of rows x and y is sum x_k y_k / (|x| |y|), in float32: of k
numbers that are not 0 wrong by at most (k + 4) * 2^-24, and between -1 and
1. Those so near to 1 or to the threshold are computed in float64: equal rows
have exactly 1, so that --threshold 1 finds duplicates. A row of zeros has
the cosine 0 with every other. NaN and infinity are errors.
With --deterministic all devices give the same bits, and so the same pairs.
Time grows with the square of the number of rows; --memory bounds the memory
of the pairs, 32 bytes each. Texts need 4 bytes for each document and each
different word; --most-words N leaves only the N words of the most documents.

Examples
  duomap run similarity --top 3 vectors.npy
  duomap run similarity --threshold 0.9 --format csv -o pairs.csv vectors.csv
  duomap run similarity --words files --weights tf-idf --top 5 texts/
)";

struct similarity_flags {
  table_flags table;
  std::string words = "none";
  std::string weights = "counts";
  std::uint64_t most_words = 0;
  double threshold = std::numeric_limits<double>::quiet_NaN();
};

// One instance is enough, because the program runs one command.
similarity_flags& flags_of_this_run() {
  static similarity_flags flags;
  return flags;
}

void add_options(CLI::App& command) {
  similarity_flags& flags = flags_of_this_run();
  refuse_order(command, {"--sort"}, "the pairs are in the order of the rows");
  add_number(command, "--threshold", flags.threshold,
             "keep the pairs of at least this cosine, instead of\nthe best of each row", {{-1, 1}});
  add_choice(command, "--words", flags.words, "texts instead of numbers: what of them is a document",
             {"none", "files", "lines"});
  add_choice(command, "--weights", flags.weights,
             "of words: how often they occur, or that times how\nrare they are", {"counts", "tf-idf"});
  add_number(command, "--most-words", flags.most_words, "keep only the words of the most documents; 0: all");
  add_table_flags(command, flags.table);
  describe_option(command, "--top", "for each row the N others of the largest cosine\n(default: 10)");
}

/// The vectors, and the names of their rows.
struct vectors_to_compare {
  labelled_table<float> table;
  std::vector<std::string> names;  ///< empty: the rows have numbers
  std::uint64_t sources = 1;
  std::uint64_t bytes = 0;  ///< size of the files
};

vectors_to_compare read_vectors(run_context& context) {
  const run_arguments& options = context.options;
  if (options.paths.size() != 1)
    throw usage_error("give one file of vectors, or --words for texts; there are " +
                      std::to_string(options.paths.size()) + " files");
  auto table = read_table<float>(options.paths[0], table_options_of(context, flags_of_this_run().table));
  const std::uint64_t bytes = table.values.view().bytes().size;
  return {std::move(table), {}, 1, bytes};
}

vectors_to_compare count_words(run_context& context) {
  const similarity_flags& flags = flags_of_this_run();
  const input texts = input_of(context.options);
  const auto pool = cpu::machine_pool(context.options.threads.value_or(0), texts);
  bag_of_words_options how;
  if (flags.words == "lines") how.document = bag_of_words_options::documents::lines;
  if (flags.weights == "tf-idf") how.weight = bag_of_words_options::weights::tf_idf;
  how.most_words = flags.most_words;
  how.control = &context.control;
  word_vectors bag = bag_of_words(texts, *pool, how);
  // If no text has a word, each text becomes a vector with one zero.
  if (bag.rows.columns == 0) bag.rows.columns = 1;
  labelled_table<float> table;
  table.values = dense_rows(bag.rows);
  return {std::move(table), std::move(bag.documents), texts.size(), texts.stored_bytes()};
}

/// Converts the report's numbers of rows into bytes of the input, for the executors' shares and the timeline.
void count_bytes(const vectors_to_compare& vectors, run_report& report) {
  const double bytes_of_row =
      report.units == 0 ? 0 : static_cast<double>(vectors.bytes) / static_cast<double>(report.units);
  for (executor_report& executor : report.executors)
    executor.units =
        static_cast<std::uint64_t>(std::llround(static_cast<double>(executor.units) * bytes_of_row));
  for (timeline_event& one : report.timeline)
    one.units = static_cast<std::uint64_t>(std::llround(static_cast<double>(one.units) * bytes_of_row));
  report.units = vectors.bytes;
  report.sources = vectors.sources;
}

run_report run_similarity(run_context& context) {
  const run_arguments& options = context.options;
  const similarity_flags& flags = flags_of_this_run();
  const bool has_threshold = !std::isnan(flags.threshold);
  if (has_threshold && options.top) throw usage_error("give --threshold or --top, not both");
  if (options.verify) throw usage_error("nothing is reduced whose laws could be checked; leave out --verify");
  if (flags.words == "none" && (flags.weights != "counts" || flags.most_words > 0))
    throw usage_error(
        "--weights and --most-words are about texts; say with --words what of them is a document");
  if (const std::string name = changed_option(flags.table); flags.words != "none" && !name.empty())
    throw usage_error(name + " is about tables of numbers, and --words reads texts; leave one of them out");
  const vectors_to_compare vectors = flags.words == "none" ? read_vectors(context) : count_words(context);

  run_report report;
  similarity_options how;
  if (has_threshold) how.threshold = flags.threshold;
  how.top = options.top.value_or(how.top);
  how.kind = options.deterministic ? product_kind::ordered : product_kind::plain;
  how.run = run_options_for(options, context.control, &report);
  how.name = options.paths[0];
  const auto pairs = similarity(vectors.table.values.view(), how);
  report.task = "similarity";
  report.results = pairs.size();
  count_bytes(vectors, report);
  add_note(report.notes, note_on(vectors.table.dropped));
  add_note(report.notes, note_on(vectors.table.loss, vectors.table.loss_column));
  add_note(report.notes, vectors.table.change());

  table_writer table(context.sink, options.format, {"first", "second", "cosine"});
  for (const similar_pair& one : pairs) {
    const auto name = [&](std::uint32_t row) {
      return vectors.names.empty() ? cell(std::uint64_t{row}) : cell(byte_view(vectors.names[row]));
    };
    table.row({name(one.first), name(one.second), number_cell(one.cosine)});
  }
  return report;
}

}  // namespace

constinit const app similarity_app{
    .name = "similarity",
    .summary = "which vectors or texts are nearly the same",
    .description = description,
    .add_options = add_options,
    .run = run_similarity,
};

}  // namespace duomap::apps
