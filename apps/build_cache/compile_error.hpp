// The error for a task whose source does not compile.
// host only
#pragma once

#include "core/error.hpp"

#include <string>

namespace duomap::apps {

/// The message has the compiler's output, or says where the compiler wrote it.
class compile_error : public error {
 public:
  explicit compile_error(const std::string& message) : error(exit_status::not_compiled, message) {}
};

}  // namespace duomap::apps
