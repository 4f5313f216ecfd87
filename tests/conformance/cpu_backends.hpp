// Makes CPU backends for tests of the contract.
#pragma once

#include "core/backend.hpp"
#include "cpu/cpu_backend.hpp"

#include <memory>

namespace duomap::test {

inline constexpr auto cpu_backends = []<class Task>(const Task& task,
                                                    worker_pool& pool) -> std::unique_ptr<backend<Task>> {
  return std::make_unique<cpu::cpu_backend<Task>>(task, pool);
};

}  // namespace duomap::test
