// Trains support vector machines, classifies with them, and shows their parts to Python.
#include "numeric/svm/svm.hpp"

#include "arrays.hpp"
#include "column_set.hpp"
#include "models.hpp"
#include "numeric/svm/kernel_rows.hpp"
#include "watched_run.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

kernel_kind kernel_called(const std::string& name) {
  if (name == "linear") return kernel_kind::linear;
  if (name == "polynomial" || name == "poly") return kernel_kind::polynomial;
  if (name == "rbf") return kernel_kind::rbf;
  if (name == "sigmoid") return kernel_kind::sigmoid;
  throw usage_error("kernel is 'linear', 'polynomial', 'rbf' or 'sigmoid', not '" + name + "'");
}

columns pair_columns(const std::vector<svm_pair>& pairs) {
  std::vector<double> first, second, objective, rho, gap;
  std::vector<std::uint64_t> iterations, support_vectors, bounded;
  for (const svm_pair& one : pairs) {
    first.push_back(one.first);
    second.push_back(one.second);
    objective.push_back(one.objective);
    rho.push_back(one.rho);
    iterations.push_back(one.iterations);
    support_vectors.push_back(one.support_vectors);
    bounded.push_back(one.bounded);
    gap.push_back(one.gap);
  }
  return {{{"class", first},
           {"against", second},
           {"objective", objective},
           {"rho", rho},
           {"iterations", iterations},
           {"support_vectors", support_vectors},
           {"bounded", bounded},
           {"gap", gap}}};
}

template <class T>
several train(const matrix_argument<T>& rows, const vector_argument<double>& labels, double c,
              const std::string& kernel, std::optional<double> gamma, double coef0, std::uint32_t degree,
              double epsilon, const std::map<double, double>& weights, std::uint64_t max_iterations,
              std::uint64_t cache_bytes, const settings& how) {
  refuse_deterministic(how, "CPU and GPU reach the optimum, within tol, by other steps");
  svm_options options{.kernel = kernel_called(kernel),
                      .gamma = gamma,
                      .coef0 = coef0,
                      .degree = degree,
                      .c = c,
                      .weights = weights,
                      .tolerance = epsilon,
                      .max_iterations = max_iterations,
                      .cache_bytes = cache_bytes};
  const svm_rows_of<T> given = rows_of(view_of(rows));
  auto [trained, summary] = run_watched(how, false, [&](watched_run& one) {
    options.run = one.options();
    svm_training result = svmtrain(given, view_of(labels), options);
    one.report().task = "svmtrain";
    one.summary.explanation = apps::explanation_of_steps(result.report);
    one.summary.figures = {{"support_vectors", result.model.rows.rows()},
                           {"rows", given.rows},
                           {"unconverged", result.unconverged()}};
    return result;
  });
  const column_set pairs = share(pair_columns(trained.pairs));
  return nb::make_tuple(std::move(trained.model), to_array(std::move(trained.support)), pairs,
                        std::move(summary));
}

template <class T>
several classify(const svm_model& model, const matrix_argument<T>& rows, const settings& how) {
  refuse_deterministic(how, "CPU and GPU round kernel values differently");
  const svm_rows_of<T> given = rows_of(view_of(rows));
  auto [answer, summary] = run_watched(how, false, [&](watched_run& one) {
    svm_answer result = svmclassify(model, given, one.options());
    one.report().task = "svmclassify";
    return result;
  });
  const std::vector<std::size_t> shape{given.rows, model.pairs()};
  return nb::make_tuple(to_array(std::move(answer.labels)), to_array(std::move(answer.values), shape),
                        std::move(summary));
}

nb::any support_vectors(const svm_model& model) { return to_array(dense_of(rows_of(model.rows))); }

template <class T>
void define_training(nb::module_& module) {
  module.def("svmtrain", train<T>, "rows"_a.noconvert(), "labels"_a.noconvert(), "c"_a, "kernel"_a,
             "gamma"_a.none(), "coef0"_a, "degree"_a, "tol"_a, "class_weight"_a, "max_iter"_a,
             "cache_bytes"_a, "settings"_a);
}

}  // namespace

void add_svm(nb::module_& module) {
  nb::class_<svm_model>(module, "SvmModel")
      .def("classify", classify<float>, "rows"_a.noconvert(), "settings"_a)
      .def("classify", classify<double>, "rows"_a.noconvert(), "settings"_a)
      .def("to_libsvm", [](const svm_model& model) { return to_libsvm(model); })
      .def_static(
          "from_libsvm",
          [](const std::string& text, const std::string& name) {
            const nb::gil_scoped_release free;
            const std::string padded = text + std::string(read_padding, '\0');
            return svm_model_from_libsvm(byte_view{padded.data(), text.size()}, name);
          },
          "text"_a, "name"_a)
      .def("columns", [](const svm_model& model) { return model.rows.columns; })
      .def("classes", [](const svm_model& model) { return to_array(model.classes); })
      .def("rho", [](const svm_model& model) { return to_array(model.rho); })
      .def("support_vectors_of_class", [](const svm_model& model) { return to_array(model.rows_of_class); })
      .def("support_vectors", support_vectors)
      .def("coefficients", [](const svm_model& model) {
        const std::uint64_t vectors = model.rows.rows();
        return to_array(model.coefficients,
                        {vectors == 0 ? 0 : model.coefficients.size() / vectors, vectors});
      });
  define_training<float>(module);
  define_training<double>(module);
}

}  // namespace duomap::python
