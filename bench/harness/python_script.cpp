// Calls Python through the shell and reads its output.
#include "bench/harness/python_script.hpp"

#include "core/error.hpp"

#include <array>
#include <cstdio>
#include <memory>

namespace duomap::apps {

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw error(exit_status::failed, "cannot start " + command);
  std::string text;
  std::array<char, 1 << 16> part;
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe.get()))
    text.append(part.data(), size);
  return text;
}

python_script::python_script(const std::string& python, std::string_view text)
  : call_("'" + python + "' '" + folder_.write("script.py", text) + "'") {}

std::string python_script::command(const std::vector<std::string>& arguments) const {
  std::string all = call_;
  for (const std::string& one : arguments) all += " '" + one + "'";
  return all + " 2>/dev/null";
}

}  // namespace duomap::apps
