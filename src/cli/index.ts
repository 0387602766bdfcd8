import { plainKitchenAhead } from '../host/kitchen.ts';

const args = process.argv.slice(2);
// It takes longer to start than all else that is loaded, so that is loaded meanwhile.
const kitchen = args[0] === 'prepare' ? { startKitchen: plainKitchenAhead() } : {};
const { runCli } = await import('./runCli.ts');

process.exitCode = await runCli(args, {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  ...kitchen,
});
