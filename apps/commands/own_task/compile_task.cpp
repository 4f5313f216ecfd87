#include "apps/commands/own_task/compile_task.hpp"

#include "apps/commands/own_task/file_text.hpp"
#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <system_error>

namespace duomap::apps {

namespace {

pid_t start(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  // Signals that this process ignores are not to be ignored by a compiler.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t standard;
  sigemptyset(&standard);
  sigaddset(&standard, SIGPIPE);
  sigaddset(&standard, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int problem = ::posix_spawn(&child, argv[0], nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (problem != 0)
    throw error(exit_status::failed, "cannot start the compiler " + quoted(words[0]) + ": " +
                                         error_text(problem) +
                                         "; a task's header is compiled by the compiler that built duomap");
  return child;
}

// Whether it ended well. An interrupt ends it.
bool ends_well(pid_t child, const run_control& control) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
    if (is_cancelled(&control)) ::kill(child, SIGTERM);
  }
  stop_if_cancelled(&control);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::vector<std::string> parse_dependencies(const std::string& text) {
  std::vector<std::string> names;
  std::string name;
  const auto end_name = [&] {
    if (!name.empty()) names.push_back(name);
    name.clear();
  };
  for (std::size_t i = text.find(": ") + 1; i < text.size(); ++i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (c == '\\' && next == '\n') {
      end_name();
      ++i;
    } else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      name += next;
      ++i;
    } else if (c == ' ' || c == '\n') {
      end_name();
    } else {
      name += c;
    }
  }
  end_name();
  return names;
}

std::vector<std::string> compile_task(const task_toolkit& kit, const std::string& header,
                                      const std::string& name, bool with_gpu,
                                      const std::filesystem::path& folder, const run_control& control) {
  const std::string has_code =
      with_gpu ? "template <>\ninline constexpr bool duomap::gpu::has_code<" + name + "> = true;\n" : "";
  // The header is included by an option, so that compilers call it as its user does: they add "./".
  const std::string include = header.starts_with("./") ? header.substr(2) : header;
  write_file_text((folder / "main.cpp").string(),
                  "#include <apps/cli/task_main.hpp>\n" + has_code +
                      "int main(int argc, char** argv) { return duomap::task_main<" + name +
                      ">(argc, argv); }\n");
  std::vector<std::string> cuda{kit.nvcc};
  if (with_gpu) {
    write_file_text((folder / "tasks.cu").string(),
                    "#include <duomap.hpp>\n" + has_code +
                        "#include <gpu/engines/all.cuh>\n#include <gpu/gpu_backend.cuh>\n"
                        "namespace duomap::gpu {\ntemplate backends_of<" +
                        name + "> make_backends(const " + name +
                        "&, const std::vector<int>&, const backend_options&);\n}\n");
    cuda.insert(cuda.end(), kit.nvcc_flags.begin(), kit.nvcc_flags.end());
    cuda.insert(cuda.end(), {"-I", kit.include, "-include", include, "-c", (folder / "tasks.cu").string(),
                             "-o", (folder / "tasks.o").string()});
  }

  std::vector<std::string> compile{kit.compiler};
  compile.insert(compile.end(), kit.flags.begin(), kit.flags.end());
  const std::string dependencies = (folder / "dependencies").string(), object = (folder / "main.o").string();
  compile.insert(compile.end(), {"-I", kit.include, "-include", include, "-MMD", "-MF", dependencies, "-c",
                                 (folder / "main.cpp").string(), "-o", object});
  std::vector<std::string> link{kit.compiler};
  link.insert(link.end(), kit.flags.begin(), kit.flags.end());
  link.push_back(object);
  if (with_gpu) link.push_back((folder / "tasks.o").string());
  link.insert(link.end(), {"-o", (folder / "program").string()});
  link.insert(link.end(), kit.link.begin(), kit.link.end());

  // What the C++ compiler refuses need not be shown again by nvcc.
  const bool made = ends_well(start(compile), control) && (!with_gpu || ends_well(start(cuda), control)) &&
                    ends_well(start(link), control);
  if (!made)
    throw input_error(quoted(header) +
                      " is not compiled to a program, and the compiler says above why; duomap " +
                      "runs its task '" + name + "', which is called as the header is");

  std::vector<std::string> read{std::filesystem::absolute(header).lexically_normal().string()};
  for (const std::string& one : parse_dependencies(file_text(dependencies))) {
    const std::filesystem::path path = std::filesystem::absolute(one).lexically_normal();
    const bool ours =
        path.string().starts_with(kit.include + "/") || path.string().starts_with(folder.string());
    if (!ours && std::ranges::find(read, path.string()) == read.end()) read.push_back(path.string());
  }
  for (const char* const spent : {"main.cpp", "main.o", "tasks.cu", "tasks.o", "dependencies"}) {
    std::error_code ignored;
    std::filesystem::remove(folder / spent, ignored);
  }
  return read;
}

}  // namespace duomap::apps
