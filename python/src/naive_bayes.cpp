// Trains naive Bayes models, classifies with them, and shows their counts to Python.
#include "arrays.hpp"
#include "cpu/machine_pool.hpp"
#include "models.hpp"
#include "numeric/naivebayes/naivebayes.hpp"
#include "texts.hpp"
#include "watched_run.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

several train(const texts& from, const std::string& label, const std::vector<std::string>& leave_out,
              std::optional<char> delimiter, bool header, double alpha, bool ignore_missing,
              bool drop_bad_rows, const settings& how) {
  const naivebayes_options options{
      .label = label,
      .leave_out = leave_out,
      .delimiter = delimiter,
      .header = header,
      .alpha = alpha,
      .missing = ignore_missing ? missing_values::ignore : missing_values::category,
      .rows = drop_bad_rows ? bad_rows::drop : bad_rows::error};
  auto [trained, summary] = run_watched(how, from.brief(), [&](watched_run& one) {
    const input table = from.open();
    const auto pool = cpu::machine_pool(one.threads(), table);
    naivebayes_training result = naivebayes_train(table, *pool, options, one.options());
    one.report().task = "naivebayes";
    return result;
  });
  return nb::make_tuple(std::move(trained.model), trained.malformed, trained.unlabelled, std::move(summary));
}

several classify(const naivebayes_model& model, const texts& from, bool drop_bad_rows, const settings& how) {
  struct answer {
    std::vector<std::uint32_t> predicted;
    std::vector<double> log_probability;
    double accuracy;
  };
  auto [found, summary] = run_watched(how, from.brief(), [&](watched_run& one) {
    const input table = from.open();
    const auto pool = cpu::machine_pool(one.threads(), table);
    const naivebayes_answer result = naivebayes_classify(
        model, table, *pool, drop_bad_rows ? bad_rows::drop : bad_rows::error, one.options());
    one.report().task = "naivebayes";
    one.summary.figures = {{"correct", result.correct}, {"rows", result.judged()}};
    answer all{{}, {}, result.accuracy()};
    for (const classified_row& row : result.rows) {
      all.predicted.push_back(row.predicted);
      all.log_probability.push_back(row.log_probability);
    }
    return all;
  });
  return nb::make_tuple(to_array(std::move(found.predicted)), to_array(std::move(found.log_probability)),
                        found.accuracy, std::move(summary));
}

/// Writes rows of whole numbers as comma-separated text with the class last. The training reads only text.
nb::bytes category_text(const matrix_argument<std::int64_t>& rows,
                        const vector_argument<std::int64_t>& classes) {
  std::string text;
  {
    const nb::gil_scoped_release free;
    const matrix_view<std::int64_t> values = view_of(rows);
    const auto add = [&](std::int64_t number, char behind) {
      char digits[24];
      char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
      text.append(digits, end);
      text += behind;
    };
    for (std::uint64_t row = 0; row < values.rows; ++row) {
      for (const std::int64_t value : values.row(row)) add(value, ',');
      add(view_of(classes)[row], '\n');
    }
  }
  return nb::bytes(text.data(), text.size());
}

/// An attribute of the model: (name, names of categories, counts). The counts are a matrix with a row for
/// each category and a column for each class.
several attribute(const naivebayes_model& model, std::uint64_t index) {
  const naivebayes_attribute& one = model.attributes.at(index);
  return nb::make_tuple(one.name, one.categories,
                        to_array(one.rows, {one.categories.size(), model.classes.size()}));
}

}  // namespace

void add_naive_bayes(nb::module_& module) {
  nb::class_<naivebayes_model>(module, "NaiveBayesModel")
      .def("classify", classify, "texts"_a, "drop_bad_rows"_a, "settings"_a)
      .def("to_json", [](const naivebayes_model& model) { return to_json(model); })
      .def_static(
          "from_json",
          [](const std::string& text, const std::string& name) {
            return naivebayes_model_from_json(text, name);
          },
          "text"_a, "name"_a)
      .def("classes", [](const naivebayes_model& model) { return model.classes; })
      .def("rows_of_class", [](const naivebayes_model& model) { return to_array(model.rows_of_class); })
      .def("attributes", [](const naivebayes_model& model) { return model.attributes.size(); })
      .def("attribute", attribute, "index"_a);
  module.def("naivebayes", train, "texts"_a, "label"_a, "leave_out"_a, "delimiter"_a.none(), "header"_a,
             "alpha"_a, "ignore_missing"_a, "drop_bad_rows"_a, "settings"_a);
  module.def("category_text", category_text, "rows"_a.noconvert(), "classes"_a.noconvert());
}

}  // namespace duomap::python
