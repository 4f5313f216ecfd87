// Tests scheduler/dispatch/execute.cpp: an executor with several open chunks gets every unit once, and the
// bytes of open chunks do not change.
#include "core/boundary.hpp"
#include "core/executor.hpp"
#include "core/record/words.hpp"
#include "scheduler/dispatch/chunk_source.hpp"
#include "scheduler/dispatch/execute.hpp"
#include "tests/catch.hpp"
#include "tests/support/inputs.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <string>

namespace duomap::test::scheduler_open_chunks_test {
namespace {

/// Compares a chunk's bytes at its end with those at its submission.
class holding_executor final : public executor {
 public:
  holding_executor(unsigned depth, std::uint64_t claim) : depth_(depth), claim_(claim) {}

  [[nodiscard]] std::string name() const override { return "holding"; }
  [[nodiscard]] unsigned workers() const noexcept override { return 1; }
  [[nodiscard]] unsigned depth() const noexcept override { return depth_; }
  [[nodiscard]] executor_traits traits() const noexcept override {
    return claim_ > 0 ? executor_traits{executor_kind::device, claim_} : executor_traits{};
  }
  void drive(const std::function<void(unsigned)>& body) override { body(0); }
  void submit(unsigned, const chunk& part) override {
    open_.push_back({part, std::string(part.bytes().text())});
    if (open_.size() > depth_) too_many_ = true;
  }
  chunk_report finish(unsigned) override {
    const auto [part, text] = open_.front();
    open_.pop_front();
    if (part.bytes().text() != text) changed_ = true;
    units_ += part.size;
    return {.units = part.size};
  }
  void commit(unsigned) override {}

  bool changed_ = false;
  bool too_many_ = false;
  std::uint64_t units_ = 0;

 private:
  struct held {
    chunk part;
    std::string text;
  };
  unsigned depth_;
  std::uint64_t claim_;
  std::deque<held> open_;
};

}  // namespace

TEST_CASE("open chunks: several sources, streams and claims across them", "[scheduler]") {
  auto random = std::mt19937_64(seed());
  const format_boundary<words> records{words{}};
  for (const layout form : {layout::addressable, layout::streamed, layout::alternating}) {
    for (const unsigned depth : {1u, 2u, 3u, 5u}) {
      for (const std::uint64_t claim : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 30}) {
        CAPTURE(static_cast<int>(form), depth, claim);
        sample one{"several sources", {}};
        std::uint64_t units = 0;
        for (unsigned i = 0; i < 9; ++i) {
          one.parts.push_back(random_words(random, random() % 200'000, 100));
          units += one.parts.back().size();
        }
        const input from = make_input(one, form);
        holding_executor large(depth, claim);
        holding_executor small(1, 0);
        scheduler::chunk_source all(from, records, {.block_bytes = 1000}, nullptr);
        executor* const executors[] = {&large, &small};
        scheduler::execute(all, executors, nullptr);
        CHECK(large.units_ + small.units_ == units);
        CHECK_FALSE((large.changed_ || small.changed_ || large.too_many_ || small.too_many_));
      }
    }
  }
}

}  // namespace duomap::test::scheduler_open_chunks_test
