// Counts the views of each page as the run options ask, for page view count and page view rank.
// host only
#pragma once

#include "apps/cli/app.hpp"
#include "apps/cli/run_arguments.hpp"
#include "apps/cli/verify_laws.hpp"
#include "apps/commands/page_view_flags.hpp"
#include "apps/tasks/weblog/count_views.hpp"

#include <vector>

namespace duomap::apps {

/// Counts the views and calls use(result, pool); the result maps pages to views. Fills `report`, and the
/// context's figures and explanation for the summary.
template <class Use>
void count_views_with_options(run_context& context, const view_options& views, run_report& report,
                              const Use& use) {
  const run_arguments& options = context.options;
  laws_use check;
  if (options.verify)
    check = [&](const std::vector<law_check>& checks) {
      report_laws(checks, options.quiet);
    };
  count_views(input_of(options), views, run_options_for(options, context.control, &report), check,
              context.figures, context.explanation, use);
  note_exact_task(options, report);
}

}  // namespace duomap::apps
