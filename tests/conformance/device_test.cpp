// Tests the contract with a pool and a device that share a run, or a device that is lost: no partial may hold
// work that the lost device had not committed.
#include "core/error.hpp"
#include "cpu/cpu_backend.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "tests/conformance/backend_contract.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::conformance_device_test {
namespace {

/// A device that works on the CPU. It takes chunks early and maps them late. If it is lost, its uncommitted
/// work is gone.
template <class Task>
class device_backend final : public backend<Task> {
 public:
  /// The device is lost at this call of finish(), counted from 0.
  device_backend(const Task& task, worker_pool& pool, std::uint64_t lost_at, std::uint64_t& committed_chunks)
    : task_(task), pool_(pool), lost_at_(lost_at), committed_chunks_(committed_chunks), inner_(fresh()) {}

  [[nodiscard]] std::string name() const override { return "device"; }
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }
  [[nodiscard]] unsigned depth() const noexcept override { return 3; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::device, 100}; }
  void drive(const std::function<void(unsigned worker)>& body) override { body(0); }

  void submit(unsigned, const chunk& part) override {
    // Refuses large chunks for lack of memory; smaller ones come again.
    if (part.size > 5000 && part.data != nullptr && ++refused_ < 20) throw out_of_memory("no room");
    open_.push_back(part);
  }

  chunk_report finish(unsigned) override {
    if (finished_++ == lost_at_) throw device_lost("a test's device is lost");
    inner_->submit(0, open_.front());
    open_.pop_front();
    return inner_->finish(0);
  }

  bool take_back(unsigned) override {
    open_.pop_back();
    return true;
  }

  void commit(unsigned) override {
    committed_.push_back(std::move(inner_->release_partials(pool_).front()));
    committed_chunks_ += finished_;
    inner_ = fresh();
  }

  [[nodiscard]] std::vector<partial_for<Task>> release_partials(worker_pool&) override {
    return std::move(committed_);
  }

 private:
  [[nodiscard]] auto fresh() const { return std::make_unique<cpu::cpu_backend<Task>>(task_, pool_); }

  Task task_;
  worker_pool& pool_;
  std::uint64_t lost_at_;
  std::uint64_t& committed_chunks_;
  std::uint64_t finished_ = 0;
  int refused_ = 0;
  std::deque<chunk> open_;
  std::unique_ptr<cpu::cpu_backend<Task>> inner_;
  std::vector<partial_for<Task>> committed_;
};

/// Runs a pool beside a device that counts as far faster, with every shape. The device is lost at once, soon,
/// or never.
template <class Task>
void check_beside_device(const Task& task, const std::vector<sample>& samples) {
  const pool_set workers({2, 3});
  scheduler::execute_options how;
  how.models = {{.seconds_per_unit = 1e-9, .claim_seconds = 1e-8}, {.seconds_per_unit = 1e-7}};
  std::uint64_t committed_chunks = 0;
  for (const sample& one : samples) {
    for (const run_shape& shape : small_shapes) {
      for (const std::uint64_t lost_at : {std::uint64_t{0}, std::uint64_t{2}, ~std::uint64_t{0}}) {
        INFO(one.name << "; " << shape << "; lost at " << lost_at);
        // A small run may end before the device's thread starts, so the device gets half of the run.
        how.share = {};
        if (lost_at == ~std::uint64_t{0}) how.share = {.policy = share_policy::by_hand, .gpu_share = 0.5};
        const auto make = [&]<class T>(const T& of, worker_pool& pool) -> std::unique_ptr<backend<T>> {
          if (pool.workers() == 2)
            return std::make_unique<device_backend<T>>(of, pool, lost_at, committed_chunks);
          return std::make_unique<cpu::cpu_backend<T>>(of, pool);
        };
        const auto result = run_shaped(task, make_input(one, shape.form), workers, make, shape, nullptr, how);
        CHECK(difference(answer_of<Task>(result), expected_answer(task, one)) == "");
      }
    }
  }
  CHECK(committed_chunks > 0);
}

TEST_CASE("beside a device: word counts") {
  auto random = seeded();
  check_beside_device(word_counts{},
                      {{"words", {random_words(random, 20'000, 90), "", random_words(random, 3000, 20)}}});
}

TEST_CASE("beside a device: dense keys") {
  auto random = seeded();
  check_beside_device(byte_histogram{}, boundary_rows<unsigned char>(random, 1));
}

TEST_CASE("beside a device: reductions that do not commute") {
  auto random = seeded();
  check_beside_device(line_spans{}, boundary_texts(random));
  check_beside_device(matrix_product{}, boundary_rows<std::uint64_t>(random, 4));
}

}  // namespace
}  // namespace duomap::test::conformance_device_test
