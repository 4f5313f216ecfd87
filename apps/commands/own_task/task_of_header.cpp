// Reads a header's text as a list of tokens, and looks for classes with a map and a reduction.
#include "apps/commands/own_task/task_of_header.hpp"

#include "core/error.hpp"
#include "core/path_problem.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>

namespace duomap::apps {

namespace {

bool begins_name(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool continues_name(char c) { return begins_name(c) || (c >= '0' && c <= '9'); }

// The end of a string whose quotation mark is at `at`. A raw string has other rules.
std::size_t end_of_string(std::string_view source, std::size_t at, bool is_raw) {
  if (is_raw) {
    const std::size_t open = source.find('(', at);
    if (open == std::string_view::npos) return source.size();
    const std::string end = ")" + std::string(source.substr(at + 1, open - at - 1)) + "\"";
    const std::size_t found = source.find(end, open);
    return found == std::string_view::npos ? source.size() : found + end.size();
  }
  const char mark = source[at];
  for (++at; at < source.size() && source[at] != mark && source[at] != '\n'; ++at) {
    if (source[at] == '\\') ++at;
  }
  return std::min(at + 1, source.size());
}

// The tokens of a source: names, and single characters that are no space. Comments, strings, numbers and
// lines of the preprocessor are left out.
std::vector<std::string_view> tokens_of(std::string_view source) {
  std::vector<std::string_view> tokens;
  bool line_begins = true;
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r') {
      line_begins = line_begins || c == '\n';
      ++at;
    } else if (source.substr(at, 2) == "//" || (c == '#' && line_begins)) {
      // A backslash at the end continues the line.
      do at = std::min(source.find('\n', at + 1), source.size());
      while (at < source.size() && source[at - 1] == '\\');
    } else if (source.substr(at, 2) == "/*") {
      const std::size_t end = source.find("*/", at + 2);
      at = end == std::string_view::npos ? source.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      const bool is_raw = c == '"' && !tokens.empty() && tokens.back().ends_with('R') &&
                          tokens.back().data() + tokens.back().size() == source.data() + at;
      at = end_of_string(source, at, is_raw);
      line_begins = false;
    } else {
      std::size_t end = at + 1;
      if (continues_name(c)) {
        // A number may have single quotes between its digits.
        const bool is_number = !begins_name(c);
        while (end < source.size() && (continues_name(source[end]) || (is_number && source[end] == '\'')))
          ++end;
      }
      if (!(c >= '0' && c <= '9')) tokens.push_back(source.substr(at, end - at));
      at = end;
      line_begins = false;
    }
  }
  return tokens;
}

bool is_class_key(std::string_view token) { return token == "struct" || token == "class"; }

// The index of the token behind the closing bracket that belongs to the opening bracket at `at`.
std::size_t behind_bracket(const std::vector<std::string_view>& tokens, std::size_t at, std::string_view open,
                           std::string_view close) {
  std::size_t depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at] == open) ++depth;
    if (tokens[at] == close && --depth == 0) return at + 1;
  }
  return tokens.size();
}

bool looks_like_task(const std::vector<std::string_view>& tokens, std::size_t begin, std::size_t end) {
  bool reduces = false, maps = false;
  for (std::size_t at = begin; at + 1 < end; ++at) {
    reduces = reduces || ((tokens[at] == "using" || is_class_key(tokens[at])) && tokens[at + 1] == "reduce");
    maps = maps || (tokens[at + 1] == "(" &&
                    (tokens[at] == "map" || tokens[at] == "map_chunk" || tokens[at] == "map_batch"));
  }
  return reduces && maps;
}

// Adds the tasks of a namespace, whose tokens are [begin, end).
void add_tasks(const std::vector<std::string_view>& tokens, std::size_t begin, std::size_t end,
               const std::string& prefix, std::vector<std::string>& all) {
  bool is_template = false;
  for (std::size_t at = begin; at < end;) {
    const std::string_view token = tokens[at];
    if (token == "template") {
      is_template = true;
      at = at + 1 < end && tokens[at + 1] == "<" ? behind_bracket(tokens, at + 1, "<", ">") : at + 1;
    } else if (token == "namespace") {
      std::string name;
      for (++at; at < end && tokens[at] != "{" && tokens[at] != ";" && tokens[at] != "="; ++at) {
        if (tokens[at] != "inline") name += tokens[at];
      }
      if (at >= end || tokens[at] != "{") continue;
      const std::size_t behind = behind_bracket(tokens, at, "{", "}");
      add_tasks(tokens, at + 1, behind - 1, name.empty() ? prefix : prefix + name + "::", all);
      at = behind;
    } else if (is_class_key(token) && at + 1 < end && begins_name(tokens[at + 1][0])) {
      const std::string_view name = tokens[at + 1];
      std::size_t body = at + 2;
      while (body < end && tokens[body] != "{" && tokens[body] != ";" && tokens[body] != "(") ++body;
      at = body;
      if (body >= end || tokens[body] != "{") continue;
      at = behind_bracket(tokens, body, "{", "}");
      if (!is_template && looks_like_task(tokens, body, at)) all.push_back(prefix + std::string(name));
      is_template = false;
    } else if (token == "{") {
      at = behind_bracket(tokens, at, "{", "}");
      is_template = false;
    } else {
      is_template = is_template && token != ";";
      ++at;
    }
  }
}

bool is_name(const std::string& text) {
  return !text.empty() && begins_name(text[0]) && std::ranges::all_of(text, continues_name);
}

}  // namespace

std::vector<std::string> tasks_in(std::string_view source) {
  const std::vector<std::string_view> tokens = tokens_of(source);
  std::vector<std::string> all;
  add_tasks(tokens, 0, tokens.size(), "", all);
  return all;
}

std::string task_of_header(const std::string& path, std::string_view content) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const std::vector<std::string> tasks = tasks_in(content);
  const auto has_name_of_file = [&](const std::string& task) {
    return task == stem || task.ends_with("::" + stem);
  };
  if (const auto named = std::ranges::find_if(tasks, has_name_of_file); named != tasks.end()) return *named;
  // Else any class or alias with the name of the file. A task may inherit its map.
  const std::vector<std::string_view> tokens = tokens_of(content);
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if ((is_class_key(tokens[at]) || tokens[at] == "using") && tokens[at + 1] == stem) return stem;
  }
  if (tasks.size() == 1) return tasks.front();
  if (tasks.empty() && is_name(stem))
    return stem;  // the task may stand in an included file; the compiler decides
  std::string found;
  for (const std::string& task : tasks) found += (found.empty() ? "" : ", ") + task;
  throw usage_error(quoted(path) + (tasks.empty() ? " has no task" : " has several tasks: " + found) +
                    "; duomap runs the task that has the name of the file, or the only one: " +
                    (tasks.empty() ? "name the file after its task" : "rename the file to the task to run"));
}

}  // namespace duomap::apps
