// Runs wordcount, stringmatch, invertedindex and pageviewcount, and makes columns of their results.
#include "text_functions.hpp"

#include "apps/tasks/invertedindex/chunked_links.hpp"
#include "apps/tasks/invertedindex/find_links.hpp"
#include "apps/tasks/invertedindex/link_index.hpp"
#include "apps/tasks/stringmatch/matches.hpp"
#include "apps/tasks/stringmatch/pattern_list.hpp"
#include "apps/tasks/stringmatch/stringmatch.hpp"
#include "apps/tasks/weblog/count_views.hpp"
#include "apps/tasks/wordcount/wordcount.hpp"
#include "column_set.hpp"
#include "duomap.hpp"
#include "texts.hpp"
#include "watched_run.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duomap::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using answer = std::pair<column_set, apps::run_summary>;

/// The columns of a result whose keys are texts and whose values are counts.
template <class Result>
columns counts(const Result& result, const char* key, const char* value) {
  text_column keys;
  std::vector<std::uint64_t> values;
  keys.begins.reserve(result.size() + 1);
  values.reserve(result.size());
  result.for_each([&](byte_view text, std::uint64_t count) {
    keys.push_back(text);
    values.push_back(count);
  });
  return {{{key, std::move(keys)}, {value, std::move(values)}}};
}

answer run_wordcount(const texts& from, bool lower, const settings& how) {
  return run_watched(how, from.brief(), [&](watched_run& one) {
    const auto found = run(apps::wordcount{lower}, from.open(), one.options());
    one.report().task = "wordcount";
    return share(counts(found, "word", "count"));
  });
}

answer run_stringmatch(const texts& from, const std::vector<nb::bytes>& given, bool ignore_case,
                       const settings& how) {
  std::vector<std::string> all;
  for (const nb::bytes& one : given) all.emplace_back(one.c_str(), one.size());
  const apps::pattern_list patterns(all, ignore_case);
  return run_watched(how, from.brief(), [&](watched_run& one) {
    const input opened = from.open();
    const auto found = run(apps::stringmatch(patterns), opened, one.options());
    text_column files, texts_found;
    std::vector<std::uint64_t> offsets, lines;
    for_each_match(found, [&](const apps::match& at) {
      files.push_back(byte_view(opened[at.source].name()));
      offsets.push_back(at.offset);
      lines.push_back(at.line);
      texts_found.push_back(byte_view(patterns[at.pattern]));
    });
    one.report().task = "stringmatch";
    one.report().results = offsets.size();
    return share({{{"file", std::move(files)},
                   {"offset", std::move(offsets)},
                   {"line", std::move(lines)},
                   {"pattern", std::move(texts_found)}}});
  });
}

answer run_invertedindex(const texts& from, const settings& how) {
  return run_watched(how, from.brief(), [&](watched_run& one) {
    const input pages = from.open();
    const auto pool = cpu::machine_pool(one.threads(), pages);
    const apps::link_index index(run(apps::find_links{}, pages, *pool, one.options()), *pool);
    text_column targets, files;
    std::vector<std::uint64_t> offsets;
    index.for_each([&](byte_view target, std::span<const apps::link_place> places) {
      for (const apps::link_place& place : places) {
        targets.push_back(target);
        files.push_back(byte_view(pages[place.source].name()));
        offsets.push_back(place.offset);
      }
    });
    one.report().task = "invertedindex";
    one.report().results = index.links();
    return share(
        {{{"target", std::move(targets)}, {"file", std::move(files)}, {"offset", std::move(offsets)}}});
  });
}

std::optional<apps::visitor> visitor_called(const std::string& unique) {
  if (unique == "none") return std::nullopt;
  if (unique == "client") return apps::visitor::client;
  if (unique == "client+agent") return apps::visitor::client_and_agent;
  throw usage_error("unique is 'client+agent', 'client' or 'none', not '" + unique + "'");
}

answer run_pageviewcount(const texts& from, const std::string& unique,
                         const std::vector<std::string>& statuses, const std::vector<std::string>& methods,
                         bool query, const std::string& log_format, const std::string& forwarded,
                         const settings& how) {
  apps::view_options views;
  views.unique = visitor_called(unique);
  apps::add_statuses(views.choice, statuses);
  apps::add_methods(views.choice, methods);
  views.choice.query_belongs = query;
  views.log_format = log_format;
  if (!forwarded.empty()) views.forwarded = apps::client_choice_called(forwarded);
  return run_watched(how, from.brief(), [&](watched_run& one) {
    columns found;
    apps::count_views(from.open(), views, one.options(), {}, one.summary.figures, one.summary.explanation,
                      [&](const auto& result, worker_pool&) { found = counts(result, "page", "views"); });
    if (one.how.deterministic) one.report().notes.emplace_back(apps::exact_task_note);
    one.report().task = "pageviewcount";
    return share(std::move(found));
  });
}

}  // namespace

void add_text_functions(nb::module_& module) {
  module.def("wordcount", run_wordcount, "texts"_a, "lower"_a, "settings"_a);
  module.def("stringmatch", run_stringmatch, "texts"_a, "patterns"_a, "ignore_case"_a, "settings"_a);
  module.def("invertedindex", run_invertedindex, "texts"_a, "settings"_a);
  module.def("pageviewcount", run_pageviewcount, "texts"_a, "unique"_a, "statuses"_a, "methods"_a, "query"_a,
             "log_format"_a, "forwarded"_a, "settings"_a);
}

}  // namespace duomap::python
