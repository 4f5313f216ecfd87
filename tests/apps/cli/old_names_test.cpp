// Tests that an option accepts its old name, and that a note tells the new one.
#include "apps/cli/old_names.hpp"

#include "apps/cli/options.hpp"
#include "tests/catch.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace duomap::apps::apps_cli_old_names_test {
namespace {

/// The values of three options that have new names.
struct values {
  std::string text = "usual";
  std::vector<std::string> list;
  double number = 1;
  std::string help;
};

values parse(std::vector<std::string> arguments) {
  CLI::App command;
  values found;
  add_text(command, "--text", found.text, "a text");
  add_texts(command, "--list", found.list, "texts");
  add_number(command, "-n,--number", found.number, "a number", {{0, 5}});
  old_option_name(command, "--old-text", "--text");
  old_option_name(command, "--old-list", "--list");
  old_option_name(command, "--old-number", "--number");
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes arguments from the back
  command.parse(arguments);
  found.help = command.help();
  return found;
}

std::size_t notes(const std::string& sentence) {
  return static_cast<std::size_t>(std::ranges::count(notes_on_old_names(), sentence));
}

}  // namespace

TEST_CASE("an old name gives the value of the new one, and the last of both counts", "[apps]") {
  CHECK(parse({}).text == "usual");
  CHECK(parse({"--old-text", "a"}).text == "a");
  CHECK(parse({"--old-text", ""}).text.empty());
  CHECK(parse({"--old-text", "a", "--text", "b"}).text == "b");
  CHECK(parse({"--text", "b", "--old-text=a"}).text == "a");
  CHECK(parse({"--old-text", "a", "--old-text", "c"}).text == "c");
  CHECK(parse({"--old-list", "a,b", "--list", "c"}).list == std::vector<std::string>{"a", "b", "c"});
  CHECK(parse({"--old-number", "3"}).number == 3);
  CHECK(notes("--old-text is called --text now") == 1);
  CHECK(notes("--old-number is called --number now") == 1);
}

TEST_CASE("help has no old name, and messages have the new one", "[apps]") {
  CHECK(parse({}).help.find("--old-") == std::string::npos);
  CHECK_THROWS_WITH(parse({"--old-number", "6"}), test::contains("--number: "));
  CHECK_THROWS_AS(parse({"--old-text"}), CLI::ArgumentMismatch);
}

}  // namespace duomap::apps::apps_cli_old_names_test
