// Declares the record formats, for code that only distinguishes them.
#pragma once

namespace duomap {

struct fields;
struct index_range;
struct lines;
struct markup;
template <class T>
struct rows;
struct strips;
struct words;

}  // namespace duomap
