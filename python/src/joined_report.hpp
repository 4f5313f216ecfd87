// Joins the reports of the runs that group the batches of one table.
#pragma once

#include "core/report.hpp"

namespace duomap::python {

/// Adds the report of one more run.
void join_report(run_report& all, run_report more);

}  // namespace duomap::python
