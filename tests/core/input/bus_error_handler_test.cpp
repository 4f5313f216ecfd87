// Tests that a program with the library names an input that somebody truncates while the program reads it.
#include "core/input/bus_error_handler.hpp"

#include "core/input/input.hpp"
#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <unistd.h>

#include <filesystem>
#include <string>

namespace duomap::test::core_input_bus_error_handler_test {

TEST_CASE("an input that is cut while a program reads it is named", "[input]") {
  const temporary_folder folder;
  const std::string path = folder.write("log", std::string(std::size_t{4} << 20, 'x'));
  const child_end end = in_child([&] {
    install_bus_error_handler("> ");
    const input files = open_input({path});
    const byte_view bytes = files[0].bytes();
    std::filesystem::resize_file(path, 4096);
    const volatile char last = bytes[bytes.size - 1];
    ::_exit(last == 'x' ? 21 : 22);
  });
  CHECK(end.exited);
  CHECK(end.status == 5);
  CHECK_THAT(end.error_output, contains("> duomap: error: '" + path + "' shrank or became unreadable"));
}

}  // namespace duomap::test::core_input_bus_error_handler_test
