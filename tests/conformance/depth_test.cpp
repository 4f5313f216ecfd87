// Tests the contract with several open chunks: like a device, a backend takes chunks early and maps them
// late.
#include "cpu/cpu_backend.hpp"
#include "tests/conformance/backend_contract.hpp"
#include "tests/conformance/backend_life.hpp"

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace duomap::test::conformance_depth_test {
namespace {

/// A CPU backend with three open chunks for each worker. It maps a chunk only in finish().
template <class Task>
class late_backend final : public backend<Task> {
 public:
  late_backend(const Task& task, worker_pool& pool) : inner_(task, pool), open_(pool.workers()) {}

  [[nodiscard]] std::string name() const override { return "late"; }
  [[nodiscard]] unsigned workers() const noexcept override { return inner_.workers(); }
  [[nodiscard]] unsigned depth() const noexcept override { return 3; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::pool}; }
  void drive(const std::function<void(unsigned worker)>& body) override { inner_.drive(body); }

  void submit(unsigned worker, const chunk& part) override {
    expects(open_[worker].size() < depth(), "more chunks are open than the backend takes");
    open_[worker].push_back(part);
  }

  chunk_report finish(unsigned worker) override {
    expects(!open_[worker].empty(), "no chunk is open");
    inner_.submit(worker, open_[worker].front());
    open_[worker].pop_front();
    return inner_.finish(worker);
  }

  void commit(unsigned worker) override { expects(open_[worker].empty(), "committed with a chunk open"); }
  [[nodiscard]] std::vector<partial_for<Task>> release_partials(worker_pool& pool) override {
    return inner_.release_partials(pool);
  }

 private:
  cpu::cpu_backend<Task> inner_;
  std::vector<std::deque<chunk>> open_;
};

constexpr auto late_backends = []<class Task>(const Task& task,
                                              worker_pool& pool) -> std::unique_ptr<backend<Task>> {
  return std::make_unique<late_backend<Task>>(task, pool);
};

TEST_CASE("several open chunks: word counts") { check_word_counts(late_backends); }
TEST_CASE("several open chunks: reductions that do not commute") { check_input_order(late_backends); }
TEST_CASE("several open chunks: exceptions of map") { check_exceptions(late_backends); }
TEST_CASE("several open chunks: cancellation") { check_cancellation(late_backends); }
TEST_CASE("several open chunks: report and progress") { check_report(late_backends); }

}  // namespace
}  // namespace duomap::test::conformance_depth_test
