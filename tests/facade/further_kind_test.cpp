// Tests a further kind of device, whose parts are in tests/support/stub_kind.hpp: a provider, a backend, and
// a kind that names both.
#include "core/error.hpp"
#include "duomap.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/tasks.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/stub_kind.hpp"

#include <string>
#include <vector>

namespace duomap::test::facade_further_kind_test {
namespace {

struct stub_words : word_counts {};

/// The stub fails at the first word.
struct failing_words : word_counts {
  bool on_stub = false;

  void map(byte_view word, auto& emit) const {
    if (on_stub) throw device_lost("the stub fell off");
    emit(word, 1);
  }
};

using kinds_with_stub = executor_kinds<cpu::kind, stub_kind<stub_words>>;

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
  const auto counted = [&](device_choice choice, share_choice split, const std::string& profiles) {
    run_report report;
    const auto result =
        run_on<kinds_with_stub>(stub_words{}, from, *pool,
                                {.device = choice, .share = split, .profiles = profiles, .report = &report});
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
      counted(device_choice::cpu_gpu, {.policy = share_policy::by_hand, .gpu_share = 0.5}, folder.path());
  REQUIRE(both.executors.size() == 2);
  CHECK(both.executors[0].kind == executor_kind::pool);
  REQUIRE(find_stub(both) != nullptr);
  CHECK(find_stub(both)->units > 0);
  CHECK(find_stub(both)->units < text.size());

  CHECK(counted(device_choice::cpu, {}, folder.path()).executors.size() == 1);
  // The provider counts as started, so the note explains why the run is too small: by its size, since nothing
  // is known of earlier runs.
  const run_report left_out = counted(device_choice::automatic, {}, "");
  CHECK(find_stub(left_out) == nullptr);
  REQUIRE(left_out.notes.size() == 1);
  CHECK_THAT(left_out.notes[0], contains("worth using a GPU for"));
}

TEST_CASE("a device maps streams when that was seen to gain, and if it fails the pool does", "[kinds]") {
  // The planner considers only 16 MiB or more, and a torture build reads them in blocks of 16 bytes.
  if (torture) return;
  const temporary_folder files;
  const temporary_folder profiles;
  std::string text;
  while (text.size() < 60'000) text += "some words ";
  std::vector<std::string> paths;
  for (int i = 0; i < 300; ++i) paths.push_back(files.write(std::to_string(i), text));
  const auto pool = cpu::machine_pool(2, open_input(paths));
  const auto counted = [&](const auto& task) {
    run_report report;
    const auto result = run_on<executor_kinds<cpu::kind, stub_kind<stub_words, failing_words>>>(
        task, open_input(paths), *pool, {.profiles = profiles.path(), .report = &report});
    CHECK(result.size() == 2);
    for (const auto& partition : result.reduced().partitions) {
      for (const auto& entry : partition) CHECK(entry.value == 300 * text.size() / 11);
    }
    return report;
  };
  CHECK_THAT(counted(stub_words{}).notes.at(0), contains("the CPU does the first run of a task"));
  const run_report fed = counted(stub_words{});
  CHECK(fed.executors.at(0).name == "stub 0");
  CHECK_THAT(fed.notes.at(0), contains("decompresses for the GPU"));

  CHECK(counted(failing_words{}).executors.at(0).kind == executor_kind::pool);
  const run_report repeated = counted(failing_words{});
  CHECK(repeated.executors.at(0).kind == executor_kind::pool);
  CHECK(repeated.degraded);
  CHECK_THAT(repeated.notes.back(), contains("fell off; the CPU has done the run from its beginning"));
}

TEST_CASE("what a further kind cannot do is told in its words", "[kinds]") {
  const input from = text_input("some words");
  const auto pool = cpu::machine_pool(1, from);
  const auto run_with = [&](const auto& task, const run_options& options) {
    static_cast<void>(run_on<kinds_with_stub>(task, from, *pool, options));
  };
  CHECK_THROWS_WITH(run_with(stub_words{}, {.gpu = {.engine = engine_kind::sort}}), "stubs have no engines");
  CHECK_THROWS_WITH(run_with(finished_word_counts{}, {.device = device_choice::gpu}),
                    contains("stubs count nothing but words"));
}

TEST_CASE("a further kind stands beside GPUs", "[kinds]") {
  using all_kinds = executor_kinds<cpu::kind, gpu::kind, stub_kind<stub_words>>;
  const input from = text_input("some words");
  const auto pool = cpu::machine_pool(1, from);
  run_report report;
  const auto result =
      run_on<all_kinds>(stub_words{}, from, *pool, {.device = device_choice::cpu_gpu, .report = &report});
  CHECK(result.size() == 2);
  CHECK(find_stub(report) != nullptr);
}

}  // namespace duomap::test::facade_further_kind_test
