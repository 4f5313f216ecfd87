// Tests which bytes reach the terminal, and when the text is coloured.
#include "apps/cli/console.hpp"

#include "tests/catch.hpp"
#include "tests/core/output/support.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace duomap::apps::apps_cli_console_test {

TEST_CASE("control bytes are shown, not obeyed", "[apps]") {
  CHECK(printable("plain 'text', caf\xC3\xA9") == "plain 'text', caf\xC3\xA9");
  CHECK(printable("\033[2Jx\ty\r\x7f") == "\\x1b[2Jx\\x09y\\x0d\\x7f");
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(printable("two\nlines\n") == "two\nlines\n");
  // U+009B begins a terminal command, like ESC [. U+00A0 and letters with the same bytes do not.
  CHECK(printable("\xC2\x9B"
                  "2J \xC2\xA0 \xC3\x9B") == "\\xc2\\x9b2J \xC2\xA0 \xC3\x9B");
}

TEST_CASE("messages name the program", "[apps]") {
  const test::child_end end = test::in_child([] {
    say("hello");
    say_error("'\033' is missing");
    write_standard_error("as it is");
  });
  CHECK(end.error_output == "duomap: hello\nduomap: error: '\\x1b' is missing\nas it is");
}

TEST_CASE("a closed standard error is nobody's problem", "[apps]") {
  const test::child_end end = test::in_child([] {
    ::close(STDERR_FILENO);
    say_error("lost");
  });
  CHECK(end.exited);
  CHECK(end.status == 0);
}

TEST_CASE("colour is for terminals without NO_COLOR, or as was chosen", "[apps]") {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) {
    WARN("no pseudo terminal here: not tested");
    return;
  }
  const file_descriptor owner(terminal);
  const test::child_end end = test::in_child([&] {
    const int descriptor = owner.get();
    test::pipe_ends ends;
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
    std::string answers;
    const auto ask = [&](int which) {
      answers += colour_wanted(which) ? 'y' : 'n';
    };
    ask(descriptor);
    ask(ends.write.get());
    ::setenv("NO_COLOR", "", 1);
    ask(descriptor);
    ::setenv("NO_COLOR", "1", 1);
    ask(descriptor);
    ::unsetenv("NO_COLOR");
    ::setenv("TERM", "dumb", 1);
    ask(descriptor);
    ::unsetenv("TERM");
    ask(descriptor);
    choose_colour(colour_choice::always);
    ask(ends.write.get());
    choose_colour(colour_choice::never);
    ::setenv("TERM", "xterm", 1);
    ask(descriptor);
    write_standard_error(answers);
  });
  CHECK(end.error_output == "ynynnnyn");
}

}  // namespace duomap::apps::apps_cli_console_test
