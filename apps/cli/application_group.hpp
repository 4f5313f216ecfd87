// Adds the applications of a library (a house) to the program into which it is linked.
// host only
#pragma once

#include "apps/cli/app.hpp"

#include <vector>

namespace duomap::apps {

/// Adds `members` to the applications of the program. It must be a static object in a source file of the
/// program itself: from a library, the linker drops objects to which nothing refers. The constructor runs
/// before main(), without memory or system calls.
class application_group {
 public:
  explicit application_group(applications members) noexcept;
  application_group(const application_group&) = delete;
  application_group& operator=(const application_group&) = delete;
  ~application_group() = default;

  /// The applications of all groups, in no order.
  [[nodiscard]] static std::vector<const app*> all();

 private:
  applications members_;
  const application_group* next_;
};

}  // namespace duomap::apps
