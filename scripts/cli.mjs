#!/usr/bin/env node
// The command `listing-companion`: runs the named command, or starts the companion if no command is named.
import { runCli } from './launcher/runCli.mjs';
import { startCompanion } from './launcher/startCompanion.mjs';

const args = process.argv.slice(2);
const [first] = args;
const starts = first === undefined || (first.startsWith('--') && first !== '--help');

try {
  process.exitCode = starts ? await startCompanion(args) : await runCli(args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
