// Lists the CPUs on which a thread may run, and limits a thread to some of them for a while.
#pragma once

#include <vector>

namespace duomap::cpu {

/// The CPUs on which the calling thread may run, ascending; empty if the system does not say. Works beyond
/// 1024 CPUs.
[[nodiscard]] std::vector<unsigned> allowed_cpus();

/// Binds the calling thread to `cpus` until the scope ends, then gives it back the CPUs it had. Binding
/// changes the speed only. If the system refuses (a CPU went offline, a container forbids it), or `cpus` is
/// empty, the thread stays as it was. Must be destroyed by the thread that made it.
class scoped_affinity {
 public:
  explicit scoped_affinity(const std::vector<unsigned>& cpus);
  ~scoped_affinity();
  scoped_affinity(const scoped_affinity&) = delete;
  scoped_affinity& operator=(const scoped_affinity&) = delete;

 private:
  std::vector<unsigned> previous_;  // empty: nothing to give back
};

}  // namespace duomap::cpu
