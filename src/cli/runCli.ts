import {
  type Command,
  exitCodes,
  getExitName,
  createCommandOutput,
  createMisuseProblem,
  type Output,
  type Streams,
} from './command.ts';
import { commands } from './commands.ts';
import { tokenVariable } from '../host/clientTokens.ts';
import { resolve } from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import * as z from 'zod';
import { toProblemView } from '../core/base/problem.ts';
import { getDefaultDataDir } from '../host/data/dataFolder.ts';
import type { StartProcess } from '../isolated/processClient.ts';
import { createBridgeClient } from './bridgeClient.ts';

const commonHelp = `Every command:
  --json               One JSON value on stdout, refusals too
  --data DIR           The companion's data folder, when it is not the usual one
  --keychain memory    Do not use the system's keychain; the token is then read from ${tokenVariable}
  -h, --help           What a command takes`;

const formatExitCodes = (): string =>
  Object.values(exitCodes)
    .map(({ code, means }) => `  ${code}  ${means}`)
    .join('\n');

const formatUsageText = (): string =>
  [
    'listing-companion COMMAND [flags]',
    'Without a command, listing-companion starts the companion itself.',
    'Works with the Listing Companion that runs on this machine. What is published, spent or undone waits for the yes of the person there.',
    Object.entries(commands)
      .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
      .join('\n'),
    commonHelp,
    `Exit codes:\n${formatExitCodes()}`,
  ].join('\n\n');

const formatCommandHelp = (name: string, { takes, help }: Command): string =>
  [`listing-companion ${[name, ...takes].join(' ')} [flags]`, commands[name]?.summary ?? '', help, commonHelp]
    .filter((part) => part !== '')
    .join('\n\n');

/** `startKitchen` is set only if the caller has its own way to start the photo process. */
export type CliProcess = Streams & { env: NodeJS.ProcessEnv; startKitchen?: StartProcess };

const commonFlags = {
  json: { type: 'boolean' },
  data: { type: 'string' },
  keychain: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

const commonSchema = z.looseObject({
  json: z.boolean().default(false),
  help: z.boolean().default(false),
  data: z.string().min(1, '--data takes a folder.').optional(),
  keychain: z.enum(['system', 'memory'], '--keychain takes "system" or "memory".').default('system'),
});

const parseCommandLine = (name: string, { flags, takes }: Command, args: string[]) => {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args, options: { ...flags, ...commonFlags }, strict: true, allowPositionals: true });
  } catch (error) {
    throw createMisuseProblem(
      error instanceof Error ? `${(error.message.split(/\. |\n/)[0] ?? '').replace(/\.$/, '')}.` : '',
    );
  }
  const known = commonSchema.safeParse(parsed.values);
  if (!known.success) throw createMisuseProblem(known.error.issues[0]?.message ?? '');
  const help = known.data.help;
  if (!help && parsed.positionals.length !== takes.length)
    throw createMisuseProblem(`"${name}" takes ${takes.length === 0 ? 'nothing more' : takes.join(' ')}.`);
  const { json, data, keychain, help: _help, ...rest } = known.data;
  const own = z.record(z.string(), z.union([z.string(), z.boolean()]).optional()).parse(rest);
  return { json, data, keychain, help, flags: own, given: parsed.positionals };
};

const runNamedCommand = async (name: string, args: string[], cli: CliProcess, onOutput: (out: Output) => void) => {
  const row = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!row) throw createMisuseProblem(`There is no command "${name}". Run "listing-companion --help".`);
  if ('standalone' in row) return (await row.standalone())(args, cli);
  const command = await row.load();
  const { json, data, keychain, help, flags, given } = parseCommandLine(name, command, args);
  const out = createCommandOutput(cli, json);
  onOutput(out);
  if (help) {
    out.result([formatCommandHelp(name, command)], { help: formatCommandHelp(name, command) });
    return exitCodes.ok.code;
  }
  const place = {
    dataDir: data === undefined ? getDefaultDataDir() : resolve(data),
    ownData: data !== undefined,
    keychain,
    env: cli.env,
  };
  const bridge = createBridgeClient(place);
  return exitCodes[await command.run({ given, flags, out, bridge, place, env: cli.env })].code;
};

export const runCli = async ([name, ...args]: string[], cli: CliProcess): Promise<number> => {
  // An error can occur before the flags are parsed, so any `--json` argument selects JSON output.
  let out = createCommandOutput(cli, args.includes('--json'));
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    out.result([formatUsageText()], { help: formatUsageText() });
    return name === undefined ? exitCodes.misuse.code : exitCodes.ok.code;
  }
  try {
    return await runNamedCommand(name, args, cli, (parsed) => (out = parsed));
  } catch (error) {
    const { sentence, code, field, retryAfterS } = toProblemView(error);
    if (out.json) out.result([], { error: sentence, code, field, retryAfterS });
    else out.note(sentence);
    return exitCodes[getExitName(code)].code;
  }
};
