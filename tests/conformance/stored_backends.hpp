// Makes CPU backends that write their partials to a file and read them back before the merge.
#pragma once

#include "core/partial/stored/stored_partial.hpp"
#include "cpu/cpu_backend.hpp"
#include "tests/support/memory_file.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace duomap::test {

template <class Task>
class stored_backend final : public backend<Task> {
 public:
  stored_backend(const Task& task, worker_pool& pool) : task_(task), cpu_(task, pool) {}

  [[nodiscard]] std::string name() const override { return cpu_.name(); }
  [[nodiscard]] unsigned workers() const noexcept override { return cpu_.workers(); }
  [[nodiscard]] unsigned depth() const noexcept override { return cpu_.depth(); }
  [[nodiscard]] executor_traits traits() const noexcept override { return cpu_.traits(); }
  void drive(const std::function<void(unsigned worker)>& body) override { cpu_.drive(body); }
  void submit(unsigned worker, const chunk& part) override { cpu_.submit(worker, part); }
  chunk_report finish(unsigned worker) override { return cpu_.finish(worker); }
  void commit(unsigned worker) override { cpu_.commit(worker); }

  [[nodiscard]] std::vector<partial_for<Task>> release_partials(worker_pool& pool) override {
    const task_identity identity{"a task of the tests"};
    // A backend does not know its input, so this test declares 1000 sources, more than any input has.
    const covered_input whole(std::vector<covered_input::source>(1000, {.name = "source", .stream = true}));
    partial_result<Task> found{std::move(cpu_.release_partials(pool).front()), whole};
    const auto read = [&](const std::string& bytes) {
      return select_partials({std::make_shared<partial_reader>(std::string_view(bytes), "stored")}, task_,
                             identity);
    };
    const std::string bytes = written([&](byte_sink& to) { write_partial(to, task_, found, identity); });
    // Merges the stored partial once more, which reads only some partitions at a time.
    const std::string merged = written([&](byte_sink& to) { merge_stored(to, read(bytes), task_, pool); });
    std::vector<partial_for<Task>> one;
    one.push_back(read_partials(read(merged), task_, pool).values);
    return one;
  }

 private:
  Task task_;
  cpu::cpu_backend<Task> cpu_;
};

inline constexpr auto stored_backends = []<class Task>(const Task& task,
                                                       worker_pool& pool) -> std::unique_ptr<backend<Task>> {
  return std::make_unique<stored_backend<Task>>(task, pool);
};

}  // namespace duomap::test
