import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exitCodes.ts';
import { tokenVariable } from './tokens.ts';

const commonHelp = `Every command:
  --json               One JSON value on stdout, refusals too
  --data DIR           The companion's data folder, when it is not the usual one
  --keychain memory    Do not use the system's keychain; the token is then read from ${tokenVariable}
  -h, --help           What a command takes`;

const codes = (): string =>
  Object.values(exitCodes)
    .map(({ code, means }) => `  ${code}  ${means}`)
    .join('\n');

/** What the command line can do. */
export const usage = (): string =>
  [
    'listing-companion COMMAND [flags]',
    'Works with the Listing Companion that runs on this machine. What is published, spent or undone waits for the yes of the person there.',
    Object.entries(commands)
      .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
      .join('\n'),
    commonHelp,
    `Exit codes:\n${codes()}`,
  ].join('\n\n');

/** The help of one command. */
export const helpOf = (name: string, { takes, help }: Command): string =>
  [`listing-companion ${[name, ...takes].join(' ')} [flags]`, commands[name]?.summary ?? '', help, commonHelp]
    .filter((part) => part !== '')
    .join('\n\n');
