// Tests every reason why CUDA cannot be used, on a machine with or without CUDA.
#include "gpu/device/driver_status.hpp"

#include "tests/catch.hpp"

#include <set>
#include <string>
#include <vector>

namespace duomap::test::gpu_device_driver_status_test {

using duomap::gpu::classify;
using duomap::gpu::driver_facts;
using duomap::gpu::driver_status;
using duomap::gpu::driver_verdict;
using duomap::gpu::version_text;
using duomap::test::contains;

namespace {

/// A build with CUDA 13.0 and a driver for 13.1, which answers with an error and lists no devices.
driver_facts failed_with(int error, const std::string& name = "cudaErrorSomething") {
  driver_facts facts;
  facts.built_with_cuda = true;
  facts.runtime_version = 13000;
  facts.driver_version = 13010;
  facts.error = error;
  facts.error_name = name;
  facts.error_text = "what CUDA says";
  return facts;
}

}  // namespace

TEST_CASE("versions are shown as major.minor", "[gpu]") {
  CHECK(version_text(12040) == "12.4");
  CHECK(version_text(13000) == "13.0");
  CHECK(version_text(11080) == "11.8");
  CHECK(version_text(12100) == "12.10");
  CHECK(version_text(0) == "0.0");
}

TEST_CASE("a device is no reason to complain", "[gpu]") {
  auto facts = failed_with(0);
  facts.device_count = 1;
  CHECK(classify(facts).status == driver_status::ready);
  CHECK(classify(facts).reason.empty());
  facts.visible_devices = "0";
  CHECK(classify(facts).status == driver_status::ready);
}

TEST_CASE("a build without CUDA says so, whatever else is known", "[gpu]") {
  CHECK(classify({}).status == driver_status::built_without_cuda);
  auto facts = failed_with(0);
  facts.device_count = 8;
  facts.built_with_cuda = false;
  CHECK(classify(facts).status == driver_status::built_without_cuda);
  CHECK_THAT(classify(facts).reason, contains("built without CUDA") && contains("nvcc"));
}

TEST_CASE("no driver", "[gpu]") {
  auto facts = failed_with(35, "cudaErrorInsufficientDriver");
  facts.driver_version = 0;
  const driver_verdict verdict = classify(facts);
  CHECK(verdict.status == driver_status::no_driver);
  CHECK_THAT(verdict.reason, contains("no NVIDIA driver") && contains("install"));
}

TEST_CASE("a driver that is too old: what it has and what is needed", "[gpu]") {
  for (const int error : {35, 36}) {
    auto facts = failed_with(error);
    facts.driver_version = 12040;
    facts.runtime_version = 13020;  // not 13.2: any driver for CUDA 13 is enough
    const driver_verdict verdict = classify(facts);
    CHECK(verdict.status == driver_status::driver_too_old);
    CHECK_THAT(verdict.reason, contains("too old") && contains("supports CUDA 12.4") &&
                                   contains("needs 13.0") && contains("update"));
  }
}

TEST_CASE("a driver without visible devices", "[gpu]") {
  std::vector<driver_facts> both{failed_with(100, "cudaErrorNoDevice"), failed_with(0)};
  for (auto& facts : both) {
    driver_verdict verdict = classify(facts);
    CHECK(verdict.status == driver_status::no_visible_device);
    CHECK_THAT(verdict.reason, contains("no visible GPU") && contains("CUDA 13.1") &&
                                   contains("nvidia-smi") && !contains("CUDA_VISIBLE_DEVICES"));

    for (const std::string hidden : {"", "-1"}) {
      facts.visible_devices = hidden;
      verdict = classify(facts);
      CHECK(verdict.status == driver_status::no_visible_device);
      CHECK_THAT(verdict.reason, contains("CUDA_VISIBLE_DEVICES='" + hidden + "' hides every GPU"));
    }
    facts.visible_devices = "7,GPU-x";
    CHECK_THAT(classify(facts).reason, contains("CUDA_VISIBLE_DEVICES='7,GPU-x' leaves none"));
  }
}

TEST_CASE("other errors are named, with what to do", "[gpu]") {
  struct example {
    int error;
    const char* name;
    const char* advice;
  };
  const example examples[] = {
      {3, "cudaErrorInitializationError", "/dev/nvidia"},
      {34, "cudaErrorStubLibrary", "stubs"},
      {46, "cudaErrorDevicesUnavailable", "exclusive"},
      {802, "cudaErrorSystemNotReady", "nvidia-fabricmanager"},
      {803, "cudaErrorSystemDriverMismatch", "reboot"},
      {804, "cudaErrorCompatNotSupportedOnDevice", "cuda-compat"},
      {999, "cudaErrorUnknown", "nvidia-smi"},
      {304, "cudaErrorOperatingSystem", "nvidia-smi"},
      {12345, "unrecognized error code", "nvidia-smi"},
  };
  for (const auto& [error, name, advice] : examples) {
    for (const int driver : {0, 12040, 13010}) {
      auto facts = failed_with(error, name);
      facts.driver_version = driver;
      const driver_verdict verdict = classify(facts);
      INFO(verdict.reason);
      CHECK(verdict.status == driver_status::failed);
      CHECK_THAT(verdict.reason, contains(name) && contains("(" + std::to_string(error) + ")") &&
                                     contains("what CUDA says") && contains(advice));
    }
  }
}

TEST_CASE("an invalid device mentions the variable that may have named it", "[gpu]") {
  auto facts = failed_with(101, "cudaErrorInvalidDevice");
  CHECK_THAT(classify(facts).reason, !contains("CUDA_VISIBLE_DEVICES"));
  facts.visible_devices = "9";
  CHECK_THAT(classify(facts).reason, contains("CUDA_VISIBLE_DEVICES='9'"));
}

TEST_CASE("an error without a description has no loose comma", "[gpu]") {
  auto facts = failed_with(3, "cudaErrorInitializationError");
  facts.error_text.clear();
  CHECK_THAT(classify(facts).reason, contains("cudaErrorInitializationError (3); "));
}

TEST_CASE("the reasons are different messages", "[gpu]") {
  auto no_driver = failed_with(35);
  no_driver.driver_version = 0;
  auto too_old = failed_with(35);
  too_old.driver_version = 12040;
  const std::set<std::string> reasons{classify({}).reason, classify(no_driver).reason,
                                      classify(too_old).reason, classify(failed_with(100)).reason,
                                      classify(failed_with(3)).reason};
  CHECK(reasons.size() == 5);
  for (const auto& reason : reasons) CHECK_FALSE(reason.empty());
}

}  // namespace duomap::test::gpu_device_driver_status_test
