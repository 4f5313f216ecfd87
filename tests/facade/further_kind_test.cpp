// A further kind of device. All that it takes is here: a provider, a backend, and a kind that names both.
#include "core/error.hpp"
#include "cpu/cpu_backend.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"

#include <concepts>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::test::facade_further_kind_test {
namespace {

struct stub_words : word_counts {};

/// One device, that is always started and needs nobody to feed it.
class stub_provider final : public device_provider {
 public:
  [[nodiscard]] bool is_built() const noexcept override { return true; }
  [[nodiscard]] const device_list& list() const override { return all_; }
  [[nodiscard]] const listed_device* unlisted() const override { return nullptr; }
  [[nodiscard]] std::string no_code_reason() const override { return "stubs count nothing but words"; }
  [[nodiscard]] bool is_started(int) const noexcept override { return true; }
  [[nodiscard]] bool any_started() const noexcept override { return true; }
  bool start_in_background() const override { return true; }
  void leave_background() const override {}
  [[nodiscard]] bool is_starting() const noexcept override { return false; }
  [[nodiscard]] double background_start_seconds() const noexcept override { return 0; }
  [[nodiscard]] bool reads_in_place(const input&) const override { return false; }
  [[nodiscard]] unsigned feeding_threads(unsigned, unsigned) const override { return 0; }

 private:
  device_list all_{.devices = {{.index = 0, .name = "stub 0", .id = "STUB-1", .model = "a stub"}}};
};

/// Maps its chunks one after the other on the thread that drives it.
template <class Task>
class stub_backend final : public backend<Task> {
 public:
  explicit stub_backend(const Task& task) : inner_(task, thread_) {}

  [[nodiscard]] std::string name() const override { return "stub 0"; }
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }
  [[nodiscard]] unsigned depth() const noexcept override { return 2; }
  [[nodiscard]] executor_traits traits() const noexcept override { return {executor_kind::device, 4096}; }
  void drive(const std::function<void(unsigned worker)>& body) override { body(0); }
  void submit(unsigned, const chunk& part) override { open_.push_back(part); }
  chunk_report finish(unsigned worker) override {
    inner_.submit(worker, open_.front());
    open_.pop_front();
    return inner_.finish(worker);
  }
  void commit(unsigned) override {}
  [[nodiscard]] partial_for<Task> release_partial(worker_pool& pool) override {
    return inner_.release_partial(pool);
  }

 private:
  sequential thread_;
  cpu::cpu_backend<Task> inner_;
  std::deque<chunk> open_;
};

struct stub_kind {
  [[nodiscard]] static const device_provider& provider() {
    static const stub_provider all;
    return all;
  }

  template <map_reduce_task Task>
  static constexpr bool has_code = std::same_as<Task, stub_words>;

  template <map_reduce_task Task>
  static constexpr bool has_resident_code = false;

  template <map_reduce_task Task>
  static void check(const job_options& options) {
    if (options.engine) throw usage_error("stubs have no engines");
  }

  template <map_reduce_task Task>
  static void add_backends(std::vector<std::shared_ptr<backend<Task>>>& all, const Task& task,
                           std::span<const device_in_run> devices, const job_options&,
                           std::shared_ptr<collect_budget>) {
    for (std::size_t i = 0; i < devices.size(); ++i)
      all.push_back(std::make_shared<stub_backend<Task>>(task));
  }
};

using kinds_with_stub = executor_kinds<cpu::kind, stub_kind>;

const executor_report* find_stub(const run_report& report) {
  for (const executor_report& one : report.executors) {
    if (one.name == "stub 0") return &one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("a further kind of device takes part in runs without a word about it elsewhere", "[kinds]") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "some words ";
  const input from = text_input(text);
  const temporary_folder folder;
  const auto pool = cpu::machine_pool(2, from);
  const auto counted = [&](device_choice choice, split_choice split, const std::string& profiles) {
    run_report report;
    const auto result =
        run_on<kinds_with_stub>(stub_words{}, from, *pool,
                                {.device = choice, .split = split, .profiles = profiles, .report = &report});
    CHECK(result.size() == 2);
    for (const auto& partition : result.reduced().partitions) {
      for (const auto& entry : partition) CHECK(entry.value == 20'000);
    }
    CHECK(report.units == text.size());
    return report;
  };

  const run_report alone = counted(device_choice::gpu, {}, folder.path());
  REQUIRE(alone.executors.size() == 1);
  CHECK(alone.executors[0].name == "stub 0");
  CHECK(alone.executors[0].kind == executor_kind::device);
  CHECK(alone.executors[0].units == text.size());

  const run_report both =
      counted(device_choice::cpu_gpu, {.policy = split_policy::by_hand, .gpu_share = 0.5}, folder.path());
  REQUIRE(both.executors.size() == 2);
  CHECK(both.executors[0].kind == executor_kind::pool);
  REQUIRE(find_stub(both) != nullptr);
  CHECK(find_stub(both)->units > 0);
  CHECK(find_stub(both)->units < text.size());

  CHECK(counted(device_choice::cpu, {}, folder.path()).executors.size() == 1);
  // Its provider says that it is started, so it is told why so little is nothing for it: by the size, since
  // nothing is known of earlier runs.
  const run_report left_out = counted(device_choice::automatic, {}, "");
  CHECK(find_stub(left_out) == nullptr);
  REQUIRE(left_out.notes.size() == 1);
  CHECK_THAT(left_out.notes[0], contains("worth using a GPU for"));
}

TEST_CASE("what a further kind cannot do is told in its words", "[kinds]") {
  const input from = text_input("some words");
  const auto pool = cpu::machine_pool(1, from);
  const auto run_with = [&](const auto& task, const job_options& options) {
    static_cast<void>(run_on<kinds_with_stub>(task, from, *pool, options));
  };
  CHECK_THROWS_WITH(run_with(stub_words{}, {.engine = engine_kind::sort}), "stubs have no engines");
  CHECK_THROWS_WITH(run_with(finished_word_counts{}, {.device = device_choice::gpu}),
                    contains("stubs count nothing but words"));
}

TEST_CASE("a further kind stands beside GPUs", "[kinds]") {
  using all_kinds = executor_kinds<cpu::kind, gpu::kind, stub_kind>;
  const input from = text_input("some words");
  const auto pool = cpu::machine_pool(1, from);
  run_report report;
  const auto result =
      run_on<all_kinds>(stub_words{}, from, *pool, {.device = device_choice::cpu_gpu, .report = &report});
  CHECK(result.size() == 2);
  CHECK(find_stub(report) != nullptr);
}

}  // namespace duomap::test::facade_further_kind_test
