// The command line of LIBSVM's svm-train, where it differs from svmtrain's.
// host only
#pragma once

#include <string>
#include <vector>

namespace duomap::apps {

/// svmtrain's arguments for svm-train's: -q becomes --quiet, -w1 5 becomes -w 1=5; -s 0, -b 0 and -h 0 or 1,
/// which change nothing, are left out.
/// @throws usage_error for what svm-train has and svmtrain has not, with the reason
[[nodiscard]] std::vector<std::string> svm_train_arguments(const std::vector<std::string>& arguments);

}  // namespace duomap::apps
