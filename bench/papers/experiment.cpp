// Adds duomap's programs to an experiment, one for each device and engine.
#include "bench/papers/experiment.hpp"

#include "apps/report/quantity.hpp"
#include "bench/harness/temporary_folder.hpp"
#include "cpu/cores.hpp"
#include "gpu/device/device.hpp"

namespace duomap::apps {

std::string tables_program(unsigned tables) {
  return "duomap, " + count_text(tables, "table") + " in a block";
}

std::string why_no_gpu() { return gpu::discover().devices.empty() ? "no GPU" : ""; }

void add_programs_of_duomap(experiment& to, const std::function<timed_run(const run_options&)>& solve,
                            compared_engines engines) {
  const unsigned cores = cpu::usable_cores().cores;
  const auto on_cpu = [&](unsigned threads) {
    to.programs.push_back({.name = "duomap", .threads = threads, .run = [solve, threads] {
                             return solve({.device = device_choice::cpu, .threads = threads});
                           }});
  };
  on_cpu(1);
  if (cores > 1) on_cpu(cores);
  const auto on_gpu = [&](const std::string& name, const std::string& device, unsigned threads,
                          const run_options& how) {
    variant one{.name = name, .device = device, .threads = threads, .not_measured = why_no_gpu()};
    if (one.not_measured.empty())
      one.run = [solve, how] {
        return solve(how);
      };
    to.programs.push_back(one);
  };
  on_gpu("duomap", "gpu", cores, {.device = device_choice::gpu});
  if (engines != compared_engines::none)
    on_gpu(sort_engine_program, "gpu", cores,
           {.device = device_choice::gpu, .gpu = {.engine = engine_kind::sort}});
  if (engines == compared_engines::tables) {
    on_gpu(no_tables_program, "gpu", cores, {.device = device_choice::gpu, .gpu = {.block_tables = 0}});
    for (const unsigned tables : {1u, 2u, 4u})
      on_gpu(tables_program(tables), "gpu", cores,
             {.device = device_choice::gpu, .gpu = {.block_tables = tables}});
  }
  // Runs on both devices share a folder of profiles, so that a run uses the split that earlier runs have
  // found.
  const auto profiles = std::make_shared<const temporary_folder>();
  on_gpu("duomap", "cpu+gpu", cores, {.device = device_choice::cpu_gpu, .profiles = profiles->path()});
  to.profiles = profiles;
}

}  // namespace duomap::apps
