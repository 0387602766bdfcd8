import { startKitchenAhead } from '../host/kitchen.ts';

const args = process.argv.slice(2);
// The photo process starts slowly, so it starts while other modules load.
const kitchen = args[0] === 'prepare' ? { startKitchen: startKitchenAhead() } : {};
const { runCli } = await import('./runCli.ts');

process.exitCode = await runCli(args, {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  ...kitchen,
});
