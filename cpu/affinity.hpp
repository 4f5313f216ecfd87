// Lists the CPUs on which a thread may run, and limits a thread to some of them for a while.
#pragma once

#include <vector>

namespace duomap::cpu {

/// The CPUs on which the calling thread may run, in ascending order. The list is empty if the system does not
/// tell. Machines with more than 1024 CPUs work too.
[[nodiscard]] std::vector<unsigned> allowed_cpus();

/// Binds the calling thread to `cpus` until the scope ends, then gives the thread its former CPUs back.
/// Binding changes the speed only. The thread stays as it was if `cpus` is empty or the system refuses (a CPU
/// went offline, or a container forbids it). The thread that made the object must destroy it.
class scoped_affinity {
 public:
  explicit scoped_affinity(const std::vector<unsigned>& cpus);
  ~scoped_affinity();
  scoped_affinity(const scoped_affinity&) = delete;
  scoped_affinity& operator=(const scoped_affinity&) = delete;

 private:
  std::vector<unsigned> previous_;  // the former CPUs; empty: the thread was not bound
};

}  // namespace duomap::cpu
