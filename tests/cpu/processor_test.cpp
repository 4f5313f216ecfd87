// Tests the processor's name.
#include "cpu/processor.hpp"

#include "tests/catch.hpp"
#include "tests/core/input/support.hpp"

namespace duomap::test::cpu_processor_test {

using duomap::cpu::processor_name;
using duomap::test::temporary_folder;

TEST_CASE("the processor's name is what the kernel says", "[cpu]") {
  const temporary_folder root;
  CHECK(processor_name(root.path()).empty());
  root.write("proc/cpuinfo",
             "processor\t: 0\nmodel\t\t: 17\nmodel name\t: A Processor 3000\nmodel name\t: B\n");
  CHECK(processor_name(root.path()) == "A Processor 3000");
  root.write("proc/cpuinfo", "model name\nmodel name\t:\n");
  CHECK(processor_name(root.path()).empty());
}

}  // namespace duomap::test::cpu_processor_test
