// Tests which exception each CUDA error becomes.
#include "core/error.hpp"

#include "gpu/runtime/error.hpp"
#include "tests/catch.hpp"

#include <set>

namespace duomap::test::gpu_runtime_error_test {

using duomap::test::contains;
namespace gpu = duomap::gpu;

namespace {

[[noreturn]] void fail(int code) {
  gpu::throw_failure({code, "cudaErrorName", "its description"}, "allocating 4096 bytes on GPU 0",
                     {"file.cu", 12});
}

}  // namespace

TEST_CASE("only errors that poison the context are sticky", "[gpu]") {
  const std::set<int> sticky{201, 214, 220, 226, 700, 702, 709, 710, 714, 715,
                             716, 717, 718, 719, 721, 806, 810, 911, 999};
  for (int code = 0; code <= 1000; ++code) {
    if (gpu::is_sticky(code) != (sticky.count(code) == 1)) FAIL("code " << code);
  }
}

TEST_CASE("the exception tells what a caller can do", "[gpu]") {
  CHECK_THROWS_AS(fail(2), gpu::device_out_of_memory);
  CHECK_THROWS_AS(fail(2), duomap::out_of_memory);
  CHECK_THROWS_AS(fail(700), duomap::device_lost);
  CHECK_THROWS_AS(fail(719), duomap::device_lost);
  CHECK_THROWS_AS(fail(1), gpu::cuda_error);
  CHECK_THROWS_AS(fail(9), gpu::cuda_error);
  try {
    fail(9);
  } catch (const gpu::cuda_error& error) {
    CHECK(error.code() == 9);
    CHECK(error.status() == duomap::exit_status::failed);
  }
  // The advice must be an option of the program.
  CHECK_THROWS_WITH(fail(2), contains("--device cpu+gpu") && !contains("chunks"));
  try {
    fail(2);
  } catch (const duomap::error& error) {
    CHECK(error.status() == duomap::exit_status::out_of_memory);
  }
}

TEST_CASE("the message says what, where and why", "[gpu]") {
  for (const int code : {1, 2, 700}) {
    CHECK_THROWS_WITH(fail(code), contains("allocating 4096 bytes on GPU 0") && contains("file.cu:12") &&
                                      contains("cudaErrorName (" + std::to_string(code) + ")") &&
                                      contains("its description"));
  }
}

}  // namespace duomap::test::gpu_runtime_error_test
