// Compiles a task with the compilers of this machine, or finds it compiled in the user's cache.
// host only
#pragma once

#include "apps/build_cache/build_cache.hpp"
#include "core/file_descriptor.hpp"
#include "core/run_control.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace duomap::apps {

/// A program with its words; the first one is its path.
using command_words = std::vector<std::string>;

/// The text that stands for the build's folder in a word of a command.
inline constexpr char build_folder[] = "\1folder\1";

/// The text that stands for build_recipe::source in a word of a command.
inline constexpr char build_source[] = "\1source\1";

/// The commands and inputs of one build. Two builds are different if their title, files, steps, `stamped`,
/// `facts`, compilers or environment differ.
struct build_recipe {
  std::string title;                                       ///< the name that `duomap cache` shows
  std::vector<std::pair<std::string, std::string>> files;  ///< files to write into the folder: name and text
  /// Steps run one after the other; the commands of one step run at the same time. The last command makes
  /// build_cache::product.
  std::vector<std::vector<command_words>> steps;
  std::string source;                     ///< the path that messages of compilers show
  std::vector<std::string> libraries;     ///< more words of the last command; the other members decide them
  std::vector<std::string> dependencies;  ///< lists of the files read, which the compilers write
  std::vector<std::string> stamped;       ///< paths of further files; a change of one makes another build
  std::string facts;                      ///< any other text that tells builds apart
  std::string duomap_headers;             ///< the folder of duomap's headers
  bool runs_in_folder = false;            ///< false: commands run in this process's folder

  /// Whether messages of compilers go to `refused`; otherwise they go to standard error.
  bool collects_messages = false;
  /// `starting` is called before the compilers start. `waiting` is called before this process waits for
  /// another process that makes the same build.
  std::function<void()> starting = [] {
  };
  std::function<void()> waiting = [] {
  };
  /// Makes the message for a failed command. `command`: the command's number in its step; `said`: its output.
  std::function<std::string(std::size_t command, const std::string& said)> refused;
};

/// Opens the product of the recipe. The product comes from the user's cache, unless the recipe or a source
/// has changed; then the compilers make it, and the cache keeps it.
/// @throws compile_error when a command fails; interrupted, after all compilers have ended; errors of
/// build_cache
[[nodiscard]] file_descriptor built(const build_recipe& recipe, const run_control* control);

}  // namespace duomap::apps
