// Translates svm-train's arguments into svmtrain's, one by one.
#include "numeric/commands/svm_train_arguments.hpp"

#include "core/error.hpp"
#include "numeric/common/decimal.hpp"

#include <cstddef>

namespace duomap::apps {
namespace {

bool is_whole_number(const std::string& text) {
  return whole_decimal<double>(byte_view(text)).status == decimal_status::number;
}

}  // namespace

std::vector<std::string> svm_train_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> own;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "";
    if (word == "-q") {
      own.emplace_back("--quiet");
    } else if (word == "-s") {
      if (next != "0")
        throw usage_error("-s " + next +
                          " is not there: svmtrain trains C-SVC (-s 0), neither nu-SVC nor regression");
      ++i;
    } else if (word == "-b") {
      if (next != "0")
        throw usage_error("-b " + next +
                          " is not there: svmtrain estimates no probabilities, for which svm-train trains "
                          "five times more; leave it out, or use svm-train");
      ++i;
    } else if (word == "-h" && (next == "0" || next == "1")) {
      ++i;  // left out: shrinking makes svm-train faster, and leaves the model the same
    } else if (word == "-v") {
      throw usage_error("-v " + next +
                        " is not there: svmtrain does no cross validation; train on a part of the rows and "
                        "classify the others with svmclassify");
    } else if (word == "-t" && next == "4") {
      throw usage_error("-t 4 is not there: svmtrain computes its kernels and takes none from a file");
    } else if (word == "-n" || word == "-p") {
      throw usage_error(word + " is not there: it is about nu-SVC and regression, and svmtrain trains C-SVC");
    } else if (word.size() > 2 && word.starts_with("-w") && is_whole_number(word.substr(2))) {
      if (!is_whole_number(next)) throw usage_error(word + " needs a weight, as " + word + " 5");
      own.emplace_back("-w");
      own.push_back(word.substr(2) + "=" + next);
      ++i;
    } else {
      own.push_back(word);
    }
  }
  return own;
}

}  // namespace duomap::apps
