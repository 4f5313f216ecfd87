// Writes the commands and sources that make a program of a task's header.
#include "apps/commands/own_task/compile_task.hpp"

#include "core/path_problem.hpp"

#include <cstddef>
#include <filesystem>

namespace duomap::apps {

build_recipe program_of(const task_toolkit& kit, const std::string& header, const std::string& content,
                        const std::string& name, const std::vector<std::string>& gpus) {
  const bool with_gpu = !gpus.empty();
  const std::string folder = std::string(build_folder) + "/";
  const std::string has_code =
      with_gpu
          ? "#include <gpu/engines/can_run.hpp>\ntemplate <>\ninline constexpr bool duomap::gpu::has_code<" +
                name + "> = duomap::gpu::has_engine<" + name +
                ">;\ntemplate <>\ninline constexpr bool duomap::gpu::code_is_optional<" + name + "> = true;\n"
          : "";
  build_recipe recipe;
  recipe.title = std::filesystem::absolute(header).lexically_normal().string();
  recipe.duomap_headers = kit.include;
  recipe.stamped = {"/proc/self/exe"};
  recipe.facts = kit.text + content;
  for (const std::string& gpu : gpus) recipe.facts += "\n" + gpu;

  // The option -include names the header, so that the compilers' messages show the path that the user typed.
  // Compilers add "./" themselves.
  recipe.source = header.starts_with("./") ? header.substr(2) : header;
  recipe.files.emplace_back("main.cpp", "#include <apps/cli/task_main.hpp>\n" + has_code +
                                            "int main(int argc, char** argv) { return duomap::task_main<" +
                                            name + ">(argc, argv); }\n");
  recipe.dependencies = {"main.d"};
  command_words compile{kit.compiler};
  compile.insert(compile.end(), kit.flags.begin(), kit.flags.end());
  compile.insert(compile.end(), {"-I", kit.include, "-include", build_source, "-MD", "-MF", folder + "main.d",
                                 "-c", folder + "main.cpp", "-o", folder + "main.o"});
  recipe.steps = {{compile}};
  command_words link{kit.compiler};
  link.insert(link.end(), kit.flags.begin(), kit.flags.end());
  link.push_back(folder + "main.o");
  if (with_gpu) {
    recipe.files.emplace_back("tasks.cu",
                              "#include <duomap.hpp>\n" + has_code +
                                  "#include <gpu/engines/all.cuh>\n#include <gpu/gpu_backend.cuh>\n"
                                  "namespace duomap::gpu {\ntemplate backends_of<" +
                                  name + "> make_backends(const " + name +
                                  "&, const std::vector<int>&, const backend_options&);\n}\n");
    recipe.dependencies.emplace_back("tasks.d");
    command_words cuda{kit.nvcc};
    cuda.insert(cuda.end(), kit.nvcc_flags.begin(), kit.nvcc_flags.end());
    cuda.insert(cuda.end(), {"-I", kit.include, "-include", build_source, "-MD", "-MF", folder + "tasks.d",
                             "-c", folder + "tasks.cu", "-o", folder + "tasks.o"});
    recipe.steps.push_back({cuda});  // a later step: both compilers would report the same errors
    link.push_back(folder + "tasks.o");
  }
  link.insert(link.end(), {"-o", folder + build_cache::product});
  link.insert(link.end(), kit.link.begin(), kit.link.end());
  recipe.steps.push_back({link});
  recipe.refused = [header, name](std::size_t /*command*/, const std::string& /*said*/) {
    return quoted(header) + " is not compiled to a program, and the compiler says above why; duomap " +
           "runs its task '" + name + "'";
  };
  return recipe;
}

}  // namespace duomap::apps
