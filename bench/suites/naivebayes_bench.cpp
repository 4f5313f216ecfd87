// Measures the training of naive Bayes beside a plain loop, and on GPUs.
#include "apps/cli/console.hpp"
#include "apps/cli/options.hpp"
#include "apps/report/quantity.hpp"
#include "bench/baselines/count_categories.hpp"
#include "bench/data/synthetic_categories.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/device_modes.hpp"
#include "bench/harness/forked_variant.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "bench/suites/benchmarks.hpp"
#include "cpu/cores.hpp"
#include "cpu/machine_pool.hpp"
#include "numeric/naivebayes/category_counts.hpp"
#include "numeric/naivebayes/naivebayes.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

struct bench_options {
  std::vector<std::string> paths;
  std::string label = "last";
  std::vector<std::string> leave_out;
  std::uint64_t bytes = 400'000'000;
  std::uint64_t seed = 1;
  std::uint32_t rounds = 5;
  bool on_gpu = false;
};

/// A table of categories to train with.
struct subject {
  std::string name;
  std::unique_ptr<bench_text> text;
  naivebayes_options options;
};

std::string workload_of(const subject& one) { return one.name + ", " + bytes_text(one.text->bytes()); }

subject thirty_keys(std::uint64_t bytes, std::uint64_t seed) {
  return {"30 keys, seed " + std::to_string(seed),
          std::make_unique<bench_text>(synthetic_categories(bytes, seed)),
          {}};
}

answer_digest digest_of(const naivebayes_model& model) {
  answer_digest answer;
  const std::size_t classes = model.classes.size();
  for (const naivebayes_attribute& attribute : model.attributes) {
    for (std::size_t i = 0; i < attribute.rows.size(); ++i) {
      if (attribute.rows[i] > 0) {
        const std::string key =
            category_key(attribute.column, model.classes[i % classes], attribute.categories[i / classes]);
        answer.add(key.data(), key.size(), attribute.rows[i]);
      }
    }
  }
  return answer;
}

/// Trains the way most people write it first.
answer_digest train_in_one_loop(const std::string& path, const naivebayes_model& shape,
                                const std::function<void()>& stop_clock) {
  category_table columns{shape.columns, shape.delimiter, shape.label, {}};
  for (const naivebayes_attribute& one : shape.attributes) columns.attributes.push_back(one.column);
  const input table = open_input({path});
  const category_rows counts = count_categories_in_one_loop(table[0].bytes().text(), columns);
  stop_clock();
  answer_digest answer;
  for (const auto& [key, rows] : counts) answer.add(key.data(), key.size(), rows);
  return answer;
}

answer_digest train(const subject& one, const run_options& how, const std::function<void()>& stop_clock) {
  const input table = open_input({one.text->path()});
  const auto pool = cpu::machine_pool(how.threads, table);
  const naivebayes_training found = naivebayes_train(table, *pool, one.options, how);
  stop_clock();
  return digest_of(found.model);
}

/// Learns the columns of a subject from its first 64 KiB.
naivebayes_model shape_of(const subject& one) {
  const input part = first_units(open_input({one.text->path()}), 64 << 10);
  sequential caller;
  naivebayes_options lenient = one.options;
  lenient.rows = bad_rows::drop;
  return naivebayes_train(part, caller, lenient, {.device = device_choice::cpu}).model;
}

void bench_on_cpu(const subject& one, unsigned rounds, const run_control& control, bench_table& table) {
  const naivebayes_model shape = shape_of(one);
  const auto loop = [&](const std::function<void()>& stop_clock) {
    return train_in_one_loop(one.text->path(), shape, stop_clock);
  };
  std::vector<variant> variants = {forked_variant("std::unordered_map loop", 1, loop, control)};
  for (const unsigned threads : thread_counts(cpu::usable_cores().cores)) {
    const auto solve = [&one, threads](const std::function<void()>& stop_clock) {
      return train(one, {.device = device_choice::cpu, .threads = threads}, stop_clock);
    };
    variants.push_back(forked_variant("duomap", threads, solve, control));
  }
  comparison all(control);
  for (bench_row& row : all.add_in_turn(variants, rounds, workload_of(one), one.text->work(), table))
    row.figures = {{"keys", static_cast<double>(all.answer().rows)}};
}

void bench_on_gpu(const subject& one, unsigned rounds, const run_control& control, bench_table& table) {
  const temporary_folder profiles;
  comparison all(control);
  const auto measure = [&](const run_options& how, unsigned runs, bool first_is_cold) {
    const auto timed = [&] {
      timed_run run;
      const stopwatch clock;
      run.answer = train(one, how, [&] { run.seconds = clock.seconds(); });
      return run;
    };
    bench_row& row = all.add_alone(variant_on(how.device, "duomap", timed, first_is_cold), runs,
                                   workload_of(one), one.text->work(), table);
    row.figures = {{"keys", static_cast<double>(all.answer().rows)}};
  };
  measure({.device = device_choice::cpu}, std::min(rounds, 3u), false);
  measure({.device = device_choice::gpu}, rounds, true);
  // Runs share a folder of profiles: the cold run finds the split while it runs, and later runs start with
  // it.
  measure({.device = device_choice::cpu_gpu, .profiles = profiles.path()}, rounds, true);
}

std::vector<subject> subjects_of(const bench_options& options, const bench_context& context) {
  std::vector<subject> all;
  if (!options.paths.empty()) {
    auto text = std::make_unique<bench_text>(options.paths, context.size(options.bytes));
    const std::string name = text->description();
    all.push_back({name, std::move(text), {.label = options.label, .leave_out = options.leave_out}});
  } else if (options.on_gpu) {
    all.push_back(thirty_keys(context.size(options.bytes), options.seed));
  } else {
    for (const std::uint64_t bytes : {26'000'000u, 52'000'000u, 104'000'000u})
      all.push_back(thirty_keys(context.size(bytes), options.seed));
  }
  return all;
}

void add_options(CLI::App& command) {
  bench_options& options = options_of_this_run<bench_options>();
  add_paths(
      command, options.paths,
      "tables to learn from, one after the other; without\nthem, rows are generated that have 30 different\n"
      "(class, attribute, category)");
  add_text(command, "--label", options.label, "the column with the class");
  add_texts(command, "--leave-out", options.leave_out, "columns that are no attributes");
  add_number(command, "--bytes", options.bytes,
             "repeat the tables to at least this size; with\n--gpu the size of the synthetic rows");
  add_number(command, "--seed", options.seed, "seed of the synthetic rows");
  add_number(command, "--rounds", options.rounds, "timed runs of each", number_range<std::uint32_t>{1, 1000});
  add_flag(command, "--gpu", options.on_gpu,
           "measure the GPU, and CPU and GPU together, instead of\na plain loop on the CPU");
}

std::vector<bench_table> bench_naivebayes(const bench_context& context) {
  const bench_options& options = options_of_this_run<bench_options>();
  const unsigned rounds = context.rounds(options.rounds);
  say("preparing the tables");
  const std::vector<subject> subjects = subjects_of(options, context);
  bench_table table{.name = "naivebayes",
                    .title = "Naive Bayes, training on the CPU",
                    .subject = "From opening the cached file to the model; rounds taken in turn",
                    .baseline = "the loop"};
  if (options.on_gpu) {
    static_cast<void>(naivebayes_train(text_input("start,CUDA\n"), *cpu::machine_pool(0, text_input("")), {},
                                       {.device = device_choice::gpu}));
    table = {.name = "naivebayes-gpu",
             .title = "Naive Bayes, training on a GPU: " + first_gpu().name,
             .subject = "From opening the cached file to the model; CUDA was started before",
             .plotted = bench_axis::rate};
  }
  for (const subject& one : subjects) {
    if (options.on_gpu) {
      bench_on_gpu(one, rounds, context.control, table);
    } else {
      bench_on_cpu(one, rounds, context.control, table);
    }
  }
  return {table};
}

}  // namespace

const benchmark naivebayes_benchmark{
    .name = "naivebayes",
    .summary = "classes of rows of categories, against one loop and scikit-learn",
    .add_options = add_options,
    .measure = bench_naivebayes,
};

}  // namespace duomap::apps
