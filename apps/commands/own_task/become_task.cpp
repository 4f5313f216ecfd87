#include "apps/commands/own_task/become_task.hpp"

#include "apps/cli/console.hpp"
#include "apps/cli/other_program.hpp"
#include "apps/cli/quantity.hpp"
#include "apps/commands/own_task/compile_task.hpp"
#include "apps/commands/own_task/file_text.hpp"
#include "apps/commands/own_task/task_cache.hpp"
#include "apps/commands/own_task/toolkit.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/path_problem.hpp"
#include "core/version.hpp"
#include "gpu/device/driver_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace duomap::apps {

namespace {

// A file as the system knows it. Another version of a compiler, or of duomap, is another file.
std::string stamp_of(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return path + ": none\n";
  return path + " " + std::to_string(file.st_ino) + " " + std::to_string(file.st_size) + " " +
         std::to_string(file.st_mtim.tv_sec) + "." + std::to_string(file.st_mtim.tv_nsec) + "\n";
}

// The class that a header is expected to have: as the file is called.
std::string task_name(const std::string& header) {
  const std::string name = std::filesystem::path(header).stem().string();
  const auto is_letter = [](char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  bool good = !name.empty() && is_letter(name[0]);
  for (const char c : name) good = good && (is_letter(c) || (c >= '0' && c <= '9'));
  if (!good)
    throw usage_error("the task of a header is called as the header is, and " + quoted(name) +
                      " is no name of a class; rename " + quoted(header));
  return name;
}

// A path of the input in the place of the application would give thousands of errors.
void require_header(const std::string& path, const std::string& content) {
  const std::string ending = std::filesystem::path(path).extension().string();
  constexpr std::array<std::string_view, 7> headers{".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".cuh"};
  if (std::ranges::find(headers, ending) != headers.end()) return;
  if (ending.empty() && content.find("#include") != std::string::npos) return;
  throw usage_error(
      quoted(path) +
      " is no header of C++ (.hpp): give the name of an application, which 'duomap list' shows, or "
      "the path of a header with a task of your own, and behind it the input");
}

}  // namespace

bool is_header(const std::string& word) {
  return !word.starts_with('-') && word.find_first_of("./") != std::string::npos;
}

void become_task(int argc, const char* const* argv, const run_control& control) {
  const std::string header = argv[2];
  const std::string content = file_text(header);
  require_header(header, content);
  const std::string name = task_name(header);
  const std::filesystem::path path = std::filesystem::absolute(header).lexically_normal();
  const task_toolkit kit = find_toolkit();
  const std::vector<std::string> gpus = gpu::gpus_of_driver();
  const bool with_gpu = !kit.nvcc.empty() && !gpus.empty();

  std::string identity = path.string() + "\nduomap " + std::string(version) + "\n" +
                         stamp_of("/proc/self/exe") + stamp_of(kit.compiler) + kit.text;
  if (with_gpu) {
    identity += stamp_of(kit.nvcc);
    for (const std::string& gpu : gpus) identity += gpu + "\n";
  }
  const std::string seed = identity + content;
  char entry[17];
  std::snprintf(entry, sizeof entry, "%016llx",
                static_cast<unsigned long long>(hash_long({seed.data(), seed.size()})));

  const task_cache cache(usual_task_folder());
  std::string program = cache.find(entry, identity);
  if (program.empty()) {
    const std::filesystem::path folder = cache.make_folder();
    bool quiet = false;
    for (int i = 3; i < argc; ++i) quiet = quiet || std::string_view(argv[i]) == "--quiet";
    if (!quiet)
      say("compiling " + header + (with_gpu ? " for the CPU and the GPUs here" : "") +
          "; it runs as a program of your own, with all that you may do");
    const auto start = std::filesystem::file_time_type::clock::now();
    try {
      const std::vector<std::string> sources = compile_task(kit, header, name, with_gpu, folder, control);
      // What changes meanwhile may be in the program or not: the next start compiles again.
      for (const std::string& source : sources) {
        std::error_code gone;
        if (std::filesystem::last_write_time(source, gone) >= start || gone) identity = "changed";
      }
      write_file_text((folder / "sources").string(), text_of_sources(sources));
      write_file_text((folder / "identity").string(), identity);
    } catch (...) {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
      throw;
    }
    program = cache.keep(folder, entry);
  }
  std::vector<const char*> arguments{name.c_str()};
  if (std::string_view(argv[1]) != "run") arguments.push_back(argv[1]);
  arguments.insert(arguments.end(), argv + 3, argv + argc);
  arguments.push_back(nullptr);
  become_program(program, arguments.data());
}

std::string cache_report(bool clear) {
  const task_cache cache(usual_task_folder());
  const std::vector<cached_task> all = cache.entries();
  std::uint64_t bytes = 0;
  std::string rows;
  for (const cached_task& one : all) {
    bytes += one.bytes;
    rows += "  " + bytes_text(one.bytes) + "  " +
            (one.header.empty() ? "unfinished: " + one.folder.filename().string() : printable(one.header)) +
            "\n";
    std::error_code gone;
    if (clear) std::filesystem::remove_all(one.folder, gone);
  }
  return printable(cache.folder().string()) + ": " + count_text(all.size(), "compiled task") + ", " +
         bytes_text(bytes) +
         (clear ? ", removed\n" : " of at most " + bytes_text(task_cache::most_bytes) + "\n") + rows;
}

}  // namespace duomap::apps
