// Tests standard input as an input.
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/input/input.hpp"
#include "core/input/mapped_file.hpp"
#include "tests/catch.hpp"
#include "tests/core/input/process_state.hpp"
#include "tests/core/input/support.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace duomap::test::core_input_standard_input_test {
namespace {

std::string large() { return std::string(map_threshold, 'x') + "\n"; }

}  // namespace

TEST_CASE("standard input may be a pipe", "[input][open_input]") {
  for (const std::string_view text : {"", "a", "abc", "abcd", "abcde", "\x1f\x8b", "\x28\xb5\x2f"}) {
    CAPTURE(text);
    const redirected from(pipe_with(text));
    const input in = open_input({"-"});
    CHECK(in[0].name() == "standard input");
    CHECK_FALSE(in[0].addressable());
    CHECK_FALSE(in[0].stored_size());
    CHECK(content(in[0]) == text);
    CHECK_THROWS_AS(in[0].open(), usage_error);
  }
}

TEST_CASE("standard input may be a file", "[input][open_input]") {
  const test::temporary_folder folder;
  {
    const redirected from(open_for_reading(folder.write("large", large())));
    const input in = open_input({"-"});
    CHECK(in[0].addressable());
    CHECK(in[0].name() == "standard input");
    CHECK((content(in[0]) == large()));
  }
  {
    const redirected from(open_for_reading(folder.write("empty", "")));
    const input in = open_input({"-"});
    CHECK(in[0].stored_size() == 0);
    CHECK(content(in[0]).empty());
  }
  {  // somebody has already read 5 bytes of the file
    const file_descriptor file = open_for_reading(folder.path("large"));
    REQUIRE(::lseek(file.get(), 5, SEEK_SET) == 5);
    const redirected from(file);
    const input in = open_input({"-"});
    CHECK_FALSE(in[0].addressable());
    CHECK(in[0].stored_size() == large().size() - 5);
    CHECK((content(in[0]) == large().substr(5)));
  }
}

TEST_CASE("standard input that cannot be read is an error", "[input][open_input]") {
  CHECK_THROWS_AS(open_input({"-", "x", "-"}), usage_error);
  {
    const redirected from(open_for_reading("/"));
    CHECK_THROWS_WITH(open_input({"-"}), contains("standard input: it is a directory"));
  }
  {
    const redirected from((file_descriptor()));
    CHECK_THROWS_WITH(open_input({"-"}), contains("standard input: it is closed"));
  }
  const redirected from(pipe_with("text"));
  CHECK_THROWS_WITH(open_input({"-", "/dev/stdin"}), contains("'/dev/stdin' twice: it is a pipe"));
  CHECK_THROWS_WITH(open_input({"/dev/stdin", "-"}),
                    contains("standard input: it is a pipe that is given as a path"));
}

}  // namespace duomap::test::core_input_standard_input_test
