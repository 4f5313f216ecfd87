// Tests which task of a header runs: the task with the file's name, or the only task. Otherwise a message
// names all tasks.
#include "apps/commands/own_task/task_of_header.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

#include <string>
#include <vector>

namespace duomap::test::apps_commands_own_task_task_of_header_test {
namespace {

using namespace duomap::apps;
using names = std::vector<std::string>;

std::string task(const std::string& name) {
  return "struct " + name +
         " {\n  using reduce = duomap::sum<int>;\n  void map(int x, auto& emit) const { emit(x); }\n};\n";
}

}  // namespace

TEST_CASE("task_of_header: classes with a reduction and a map are tasks", "[own_task]") {
  CHECK(tasks_in(task("a")) == names{"a"});
  CHECK(tasks_in("#include <x>\n" + task("a") + "struct helper { int map(int); };\n" + task("b")) ==
        names{"a", "b"});
  CHECK(tasks_in("namespace one::two {\ninline namespace { " + task("a") + "}\n}\n" + task("b")) ==
        names{"one::two::a", "b"});
  CHECK(tasks_in("class a final : public base<int> { public: using reduce = x; void map_chunk(c, e); };") ==
        names{"a"});
  CHECK(tasks_in("struct a { struct reduce { int x; }; void map(int); };") == names{"a"});
  CHECK(tasks_in("struct later;\nstruct later f(int x) { return g(x); }\n" + task("a")) == names{"a"});
  CHECK(tasks_in("enum class colour { red };\nconstexpr int x[] = {1, 2};\n" + task("a")) == names{"a"});
}

TEST_CASE("task_of_header: texts that only look like tasks are none", "[own_task]") {
  CHECK(tasks_in("").empty());
  CHECK(tasks_in("// " + std::string("struct a { using reduce = x; void map(int); };")).empty());
  CHECK(tasks_in("/* " + task("a") + "*/").empty());
  CHECK(tasks_in("const char* x = \"struct a { using reduce = x; void map(int); };\";").empty());
  CHECK(tasks_in("auto x = R\"y(" + task("a") + ")\" )y\";\n" + task("b")) == names{"b"});
  CHECK(tasks_in("#define A struct a { using reduce = x; \\\n void map(int); };\n" + task("b")) ==
        names{"b"});
  CHECK(tasks_in("template <class T, class U = x<T>>\n" + task("a") + task("b")) == names{"b"});
  CHECK(tasks_in("struct outer {\n" + task("a") + "using other = int; };").empty() ==
        false);  // a member of another type also counts
  CHECK(tasks_in("int x = 1'000'000; char c = '\\''; char d = '\"';\n" + task("a")) == names{"a"});
  for (const std::string cut :
       {"struct a { using reduce", "struct", "namespace", "template <", "\"", "R\"(", "/*", "'"}) {
    CAPTURE(cut);
    CHECK(tasks_in(cut).empty());
  }
}

TEST_CASE("task_of_header: the name of the file decides, then being the only one", "[own_task]") {
  CHECK(task_of_header("x/b.hpp", task("a") + task("b")) == "b");
  CHECK(task_of_header("b.hpp", "namespace n { " + task("b") + "}" + task("a")) == "n::b");
  CHECK(task_of_header("my-task.hpp", task("a")) == "a");
  CHECK(task_of_header("other.hpp", task("a")) == "a");
  CHECK(task_of_header("b.hpp", task("a") + "struct b : a { };") == "b");
  CHECK(task_of_header("b.hpp", "template <int N>\n" + task("a") + "using b = a<3>;") == "b");
  CHECK(task_of_header("b.hpp", "#include \"all.hpp\"\n") == "b");
  CHECK_THROWS_WITH(task_of_header("c.hpp", task("a") + task("b")),
                    contains("'c.hpp' has several tasks: a, b; "));
  CHECK_THROWS_WITH(task_of_header("my-task.hpp", "int x;"), contains("'my-task.hpp' has no task; "));
}

}  // namespace duomap::test::apps_commands_own_task_task_of_header_test
