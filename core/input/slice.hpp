// Makes a chunk of a slice of an addressable source.
#pragma once

#include "core/boundary.hpp"
#include "core/chunk.hpp"
#include "core/input/source.hpp"

#include <cstdint>
#include <optional>

namespace duomap {

/// The records of `whole` that start in [from, to); nothing if none starts there. If slices tile [0,
/// units()), each record is in exactly one of their chunks.
///
/// The chunk may reach beyond `to`, to the end of its last record. Only a slice in which a record starts is
/// scanned beyond `to`, so a record that spans many slices is scanned at most twice.
///
/// If `whole` is itself a slice, the chunk has its place in the larger input.
///
/// Requires an addressable source and from <= to <= whole.units(). Any thread may call it.
[[nodiscard]] std::optional<chunk> slice(const source& whole, std::uint32_t source_index, std::uint64_t from,
                                         std::uint64_t to, const boundary& records);

}  // namespace duomap
