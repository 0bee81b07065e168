// SPDX-License-Identifier: Apache-2.0
// plenum: describes, solves and questions board games from the command line. cli.h has the commands and options.
#include "solver/cluster/mpi_ranks.h"
#include "tools/commands/cli.h"

int main(int argc, char** argv) {
  const plenum::RanksOfRun run;
  return run.finish(plenum::run_cli(argc, argv));
}
