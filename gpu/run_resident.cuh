// Runs a task over a chunk that stays in device memory. A .cu file that includes this header instantiates
// run_resident() for its task (gpu/run_resident.hpp).
#pragma once

#include "core/own_thread.hpp"
#include "core/partial/merge_keyed.hpp"
#include "gpu/gpu_backend.cuh"
#include "gpu/record/chunk_padding.hpp"
#include "gpu/record/complete_chunk.cuh"
#include "gpu/run_resident.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap::gpu {

template <map_reduce_task Task>
resident_run<Task> run_resident(const Task& task, int device, byte_view bytes, unsigned runs,
                                const backend_options& options, worker_pool& pool) {
  resident_run<Task> all;
  on_own_thread("to run on GPU " + std::to_string(device), [&] {
    use_gpu(device);
    const stream on;
    host_partials<Task> host;
    const device_buffer data(bytes.size + chunk_padding<typename Task::format>::bytes, on);
    check(cudaMemcpyAsync(data.as<char>(), bytes.data, bytes.size, cudaMemcpyHostToDevice, on.get()),
          "copying resident bytes");
    complete_chunk(task, data.as<char>(), bytes.size, on);
    const device_task<Task> resident(task, on);
    const engine_kind kind = choose_engine<Task>(options.engine).kind;
    read_gate gate;
    feeder feed(on, 1, options.feed, gate);
    const auto runner = make_engine(resident.get(), kind, options, {on, on, feed, gate, 1}, host);
    event started;
    event end;
    for (unsigned run = 0; run < runs; ++run) {
      runner->forget();
      on.wait();
      started.record(on);
      runner->enqueue({data.as<char>(), bytes.size, 0, 0});
      on.wait();  // polls: a thread that sleeps, as in an engine, takes 0.4 ms to wake up
      runner->finish_oldest();
      end.record(on);
      end.wait();
      all.seconds.push_back(end.seconds_since(started));
    }
    runner->commit();
    all.notes = runner->notes();
    all.figures = runner->figures();
    std::vector<partial_for<Task>> parts;
    for (const auto& part : host) parts.push_back(part->release_partial(pool));
    all.found = parts.empty() ? empty_partial(task) : merge_partials(std::move(parts), task, pool);
  });
  return all;
}

}  // namespace duomap::gpu
