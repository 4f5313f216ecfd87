// Includes the partials of all kinds of tasks.
// host only
#pragma once

#include "core/partial/collected.hpp"
#include "core/partial/dense.hpp"
#include "core/partial/keyed.hpp"
#include "core/partial/merge_keyed.hpp"
#include "core/partial/partial_for.hpp"
#include "core/partial/slots.hpp"
#include "core/partial/top.hpp"
