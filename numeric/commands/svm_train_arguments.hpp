// Translates the command line of LIBSVM's svm-train where it differs from svmtrain's.
// host only
#pragma once

#include <string>
#include <vector>

namespace duomap::apps {

/// Returns svmtrain's arguments for svm-train's: -q becomes --quiet, and -w1 5 becomes -w 1=5. It leaves out
/// -s 0, -b 0 and -h 0 or 1, which change nothing.
/// @throws usage_error with the reason, for options of svm-train that svmtrain does not have
[[nodiscard]] std::vector<std::string> svm_train_arguments(const std::vector<std::string>& arguments);

}  // namespace duomap::apps
