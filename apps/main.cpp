// Begins the program `duomap`.
#include "apps/cli/end_process.hpp"
#include "apps/commands/program.hpp"

int main(int argc, char** argv) { duomap::apps::end_process(duomap::apps::run_program(argc, argv)); }
