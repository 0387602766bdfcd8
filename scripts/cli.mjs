#!/usr/bin/env node
// The command `listing-companion`, from wherever it is called.
import { runCli } from './launcher/runCli.mjs';

process.exitCode = await runCli(process.argv.slice(2));
