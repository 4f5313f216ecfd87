// The program `duomap`.
#include "apps/commands/program.hpp"

int main(int argc, char** argv) { return duomap::apps::run_program(argc, argv); }
