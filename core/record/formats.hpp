// Declares the record formats, for code that only has to tell them apart.
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
