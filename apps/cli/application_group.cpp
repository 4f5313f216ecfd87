// Keeps the list of the application groups that the program was linked with.
#include "apps/cli/application_group.hpp"

namespace duomap::apps {
namespace {

constinit const application_group* first_group = nullptr;

}  // namespace

application_group::application_group(applications members) noexcept : members_(members), next_(first_group) {
  first_group = this;
}

std::vector<const app*> application_group::all() {
  std::vector<const app*> found;
  for (const application_group* group = first_group; group != nullptr; group = group->next_)
    found.insert(found.end(), group->members_.begin(), group->members_.end());
  return found;
}

}  // namespace duomap::apps
