#!/usr/bin/env node
// The command `listing-companion`, from wherever it is called: alone or with options it starts the companion, with the name of a
// command it runs that one.
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
