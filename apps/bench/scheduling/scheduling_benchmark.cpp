#include "apps/bench/scheduling/scheduling_benchmark.hpp"

#include "apps/bench/scheduling/scheduling_bench.hpp"

namespace duomap::apps {
namespace {

constexpr std::string_view description =
    R"(Measures how CPU cores and GPUs share a task, against each of them alone.

  word count    a text, as it lies in the page cache
  k-means step  points of 3 floats in host memory, 20 centres
  resident      the same step of an iterative job, whose points stay in the
                memory of the device that maps them
  set cost      64-byte rows in host memory, each worth as many dependent
                operations as make one GPU about 60, 4 and 1 times as fast
                as all cores together, tried out on the spot

All but resident twice: over pageable memory, from which cores feed the GPU,
and over memory that is page-locked, which it copies from by itself.

Each task runs over inputs of 64 KiB to --largest bytes on the CPU alone, on
the GPU alone, as `auto` decides, and on both; with --policies also as other
systems split, and with --oracle by the best split by hand that can be
found. Then: a run without any profile against the next one, what the
scheduler itself costs, and a run on the CPU against plain oneTBB over the
same leaves with the same map. Without a GPU the last two are all there is.

  gain         time of the best device alone over that of this run
  efficiency   time the sum of both devices' throughputs would take, over
               the time it took
  regret       time over that of the best way that was found, less 1
  skew         between the ends of both devices, of the whole run

Ways take turns, every figure is a median of rounds, and every answer is
compared.

Examples
  duomap bench scheduling novels.txt
  duomap bench scheduling --largest 16000000000 --policies --oracle novels.txt
  duomap bench scheduling --parts plain,overhead
)";

}  // namespace

const benchmark& scheduling_benchmark() {
  static const benchmark scheduling{
      .name = "scheduling",
      .summary = "how CPU and GPUs share tasks, against each alone",
      .description = description,
      .add_options = add_scheduling_bench_options,
      .measure = bench_scheduling,
  };
  return scheduling;
}

}  // namespace duomap::apps
