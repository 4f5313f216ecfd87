// Defines the dense engine's kernels for no key and for slots (predicated reductions), with accumulators in
// registers.
#pragma once

#include "core/chunk.hpp"
#include "core/task.hpp"
#include "gpu/engines/dense/combine.cuh"
#include "gpu/engines/dense/record_loop.cuh"
#include "gpu/engines/dense/task_parameter.cuh"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace duomap::gpu {

/// A task's reductions as a list: all slots, or the only reduction of a task without a key.
template <class R>
struct slot_list {
  using type = std::tuple<R>;
  static type of(const R& reduce) { return {reduce}; }
};
template <class... R>
struct slot_list<slots<R...>> {
  using type = std::tuple<R...>;
  static type of(const slots<R...>& reduce) { return reduce.reductions; }
};
template <class Task>
using slots_of = typename slot_list<typename Task::reduce>::type;

template <class Reductions>
inline constexpr std::size_t slot_count = std::tuple_size_v<Reductions>;

namespace detail {

// A tuple for host and device, because std::tuple's functions are host code only.
template <std::size_t I, class T>
struct numbered {
  T held;
};
template <class Indices, class... T>
struct numbered_list;
template <std::size_t... I, class... T>
struct numbered_list<std::index_sequence<I...>, T...> : numbered<I, T>... {};

template <std::size_t I, class T>
[[nodiscard]] DUOMAP_HD constexpr T& at(numbered<I, T>& from) {
  return from.held;
}
template <std::size_t I, class T>
[[nodiscard]] DUOMAP_HD constexpr const T& at(const numbered<I, T>& from) {
  return from.held;
}

template <class... T>
using list = numbered_list<std::index_sequence_for<T...>, T...>;

template <class Reductions>
struct slot_types;
template <class... R>
struct slot_types<std::tuple<R...>> {
  using reductions = list<R...>;
  using values = list<maybe<typename R::value_type>...>;
  using tables = list<maybe<typename R::value_type>*...>;

  [[nodiscard]] static reductions make(const std::tuple<R...>& all) {
    reductions made;
    fill(made, all, std::index_sequence_for<R...>{});
    return made;
  }

  /// Bytes of a table of `count` values of each slot.
  [[nodiscard]] static constexpr std::uint64_t bytes(std::uint64_t count) {
    return (((sizeof(maybe<typename R::value_type>) * count + 15) / 16 * 16) + ...);
  }
  /// Makes the tables in `memory`, which has bytes(count) bytes.
  [[nodiscard]] static tables in(void* memory, std::uint64_t count) {
    tables made;
    place(made, static_cast<unsigned char*>(memory), count, std::index_sequence_for<R...>{});
    return made;
  }

 private:
  template <std::size_t... I>
  static void fill(reductions& made, const std::tuple<R...>& all, std::index_sequence<I...>) {
    ((at<I>(made) = std::get<I>(all)), ...);
  }
  template <std::size_t... I>
  static void place(tables& made, unsigned char* memory, std::uint64_t count, std::index_sequence<I...>) {
    (place_one(at<I>(made), memory, count), ...);
  }
  template <class V>
  static void place_one(maybe<V>*& table, unsigned char*& memory, std::uint64_t count) {
    table = reinterpret_cast<maybe<V>*>(memory);
    memory += (sizeof(maybe<V>) * count + 15) / 16 * 16;
  }
};

}  // namespace detail

/// The emitter of this pass: emit(value) without a key, emit(slot<I>, value) for slots.
template <class Reductions>
class slot_emitter {
 public:
  using types = detail::slot_types<Reductions>;

  __device__ explicit slot_emitter(const typename types::reductions& reductions) : reductions_(reductions) {
    clear(std::make_index_sequence<slot_count<Reductions>>{});
  }

  DUOMAP_HD void operator()(const emit_type<std::tuple_element_t<0, Reductions>>& value) {
    (*this)(slot<0>, value);
  }
  template <std::size_t I>
  DUOMAP_HD void operator()(std::integral_constant<std::size_t, I>,
                            const emit_type<std::tuple_element_t<I, Reductions>>& emitted) {
#if defined(__CUDA_ARCH__)
    auto& mine = detail::at<I>(values_);
    fold_emit(detail::at<I>(reductions_), mine.value, mine.present, emitted);
    mine.present = true;
#endif
  }

  template <std::size_t I>
  [[nodiscard]] __device__ auto& held() {
    return detail::at<I>(values_);
  }

 private:
  template <std::size_t... I>
  __device__ void clear(std::index_sequence<I...>) {
    ((detail::at<I>(values_).present = false), ...);
  }

  const typename types::reductions& reductions_;
  typename types::values values_;
};

template <class Task, bool InParameters>
struct slot_arguments {
  using types = detail::slot_types<slots_of<Task>>;

  typename Task::format format;
  typename types::reductions reductions;
  chunk part;
  typename types::tables found;  ///< the blocks' values of each slot

  task_parameter<Task, InParameters> task;
};

namespace detail {

/// Called by all threads of a block: folds their values, lower threads first; thread 0 gets the result.
/// `meeting` has room for one value of each warp, and is free before and after the call.
template <class V, class R>
__device__ void fold_block(maybe<V>& mine, maybe<V>* meeting, const R& reduce) {
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  fold_lanes(mine, 32, reduce);
  if (lane == 0) meeting[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine.present = false;
    if (lane < blockDim.x / 32) mine = meeting[lane];
    fold_lanes(mine, 32, reduce);
  }
  __syncthreads();
}

template <class Emitter, class Arguments, std::size_t... I>
__device__ void put_slots(Emitter& emit, const Arguments& with, unsigned char* meeting,
                          std::index_sequence<I...>) {
  const auto put = [&](auto& mine, auto* table, const auto& reduce) {
    fold_block(mine, reinterpret_cast<std::remove_reference_t<decltype(mine)>*>(meeting), reduce);
    if (threadIdx.x == 0) table[blockIdx.x] = mine;
  };
  (put(emit.template held<I>(), at<I>(with.found), at<I>(with.reductions)), ...);
}

/// The bytes that `meeting` needs: the largest slot's value for each warp of a block.
template <class Reductions>
inline constexpr std::uint64_t meeting_bytes = 0;
template <class... R>
inline constexpr std::uint64_t meeting_bytes<std::tuple<R...>> =
    32 * std::max({sizeof(maybe<typename R::value_type>)...});

}  // namespace detail

template <class Task, bool InParameters>
__global__ void __launch_bounds__(threads_of<typename Task::format>, 1024 / threads_of<typename Task::format>)
    map_into_registers(const __grid_constant__ slot_arguments<Task, InParameters> with) {
  using reductions = slots_of<Task>;
  using format = typename Task::format;
  extern __shared__ uint4 dense_memory[];
  auto& storage = *reinterpret_cast<typename tile_storage<format>::type*>(dense_memory);
  slot_emitter<reductions> emit(with.reductions);
  map_records(with.task.get(), with.format, with.part, storage, emit, block_share::of_grid());
  __syncthreads();
  detail::put_slots(emit, with, reinterpret_cast<unsigned char*>(dense_memory),
                    std::make_index_sequence<slot_count<reductions>>{});
}

namespace detail {

template <class Types, std::size_t... I>
__device__ void combine_each(const typename Types::tables& found, unsigned blocks,
                             const typename Types::reductions& reductions, const typename Types::tables& into,
                             totals how, std::index_sequence<I...>) {
  const auto combine = [&](std::size_t slot, auto* of_blocks, auto* total, const auto& reduce) {
    if (slot % (blockDim.x / 32) != threadIdx.x / 32) return;
    using kept = std::remove_reference_t<decltype(*total)>;
    using value = decltype(kept::value);
    const auto all = fold_blocks<value>(blocks, reduce, [&](unsigned b) { return of_blocks[b]; });
    if (threadIdx.x % 32 != 0) return;
    kept whole{};
    if (how == totals::fold_into) whole = *total;
    whole.append(all, reduce);
    *total = whole;
  };
  (combine(I, at<I>(found), at<I>(into), at<I>(reductions)), ...);
}

}  // namespace detail

/// The kernel, with one block that has one warp for each slot.
template <class Reductions>
__global__ void __launch_bounds__(combine_threads)
    combine_slots(typename detail::slot_types<Reductions>::tables found, unsigned blocks,
                  typename detail::slot_types<Reductions>::reductions reductions,
                  typename detail::slot_types<Reductions>::tables into, totals how, stamped_result told) {
  wait_for_earlier_kernels();
  detail::combine_each<detail::slot_types<Reductions>>(found, blocks, reductions, into, how,
                                                       std::make_index_sequence<slot_count<Reductions>>{});
  if (told.words == nullptr) return;
  __syncthreads();
  told.tell(detail::at<0>(into), 0, detail::slot_types<Reductions>::bytes(1));
}

}  // namespace duomap::gpu
