import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';

/** What the companion was started with. `service` is `practice` or the base address of a service. */
export type Options = {
  headless: boolean;
  open: boolean;
  dataDir: string;
  /** True when the person named the folder: then it has secrets of its own too. */
  ownData: boolean;
  uiPort: number;
  bridgePort: number;
  service: string;
  keychain: 'system' | 'memory';
  /** Says everything that happens on stderr. */
  verbose: boolean;
  /** Desktop app only: no window at the start, as when the person logs in. */
  hidden: boolean;
  /** The copy to put in the place of the data before anything else: its name, or `newest`. */
  restore: string | null;
};

/** The options, or a sentence on the first thing that is wrong. */
export type Parsed = { ok: true; options: Options } | { ok: false; sentence: string };

/** All of it in one line. */
export const usage =
  'Use: [--headless] [--no-open] [--data DIR] [--ui-port N] [--bridge-port N] [--service practice|URL] [--keychain system|memory] [--verbose] [--hidden] [--restore newest|NAME]';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The service's address: https, or plain http on this machine only, as the key travels with every request. */
const isServiceUrl = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname)));
};

const port = (flag: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `${flag} takes a port from 0 to 65535.`)
    .transform(Number)
    .refine((value) => value <= 65_535, `${flag} takes a port from 0 to 65535.`);

const flags = z.object({
  headless: z.boolean().default(false),
  'no-open': z.boolean().default(false),
  data: z.string().min(1, '--data takes a folder.').optional(),
  'ui-port': port('--ui-port').default(0),
  'bridge-port': port('--bridge-port').default(47_800),
  service: z
    .string()
    .refine(
      (value) => value === 'practice' || isServiceUrl(value),
      '--service takes "practice" or an https address (http on this machine only).',
    )
    .default('practice'),
  keychain: z.enum(['system', 'memory'], '--keychain takes "system" or "memory".').default('system'),
  verbose: z.boolean().default(false),
  hidden: z.boolean().default(false),
  restore: z.string().min(1, '--restore takes “newest” or the name of a copy.').optional(),
});

/** The options by their names, as `parseArgs` takes them. */
export const known = {
  headless: { type: 'boolean' },
  'no-open': { type: 'boolean' },
  data: { type: 'string' },
  'ui-port': { type: 'string' },
  'bridge-port': { type: 'string' },
  service: { type: 'string' },
  keychain: { type: 'string' },
  verbose: { type: 'boolean' },
  hidden: { type: 'boolean' },
  restore: { type: 'string' },
} as const;

type Machine = { platform: NodeJS.Platform; env: NodeJS.ProcessEnv; home: string };
const thisMachine = (): Machine => ({ platform: process.platform, env: process.env, home: homedir() });

/** Where the companion keeps its data when the person names no folder, by the conventions of the platform. */
export const defaultDataDir = ({ platform, env, home }: Machine = thisMachine()): string => {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Listing Companion');
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'Listing Companion');
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'listing-companion');
};

const readFlags = (argv: readonly string[]): Record<string, unknown> | string => {
  try {
    return parseArgs({ args: [...argv], options: known, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // Node's own message is exact about the first thing that is wrong; the rest of it is advice for programmers.
    const sentence = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? '') : '';
    return `${sentence.replace(/\.$/, '')}.`;
  }
};

/** Reads the command line; a flag that is unknown or has a value it cannot have becomes one sentence. */
export const parseOptions = (argv: readonly string[], machine: Machine = thisMachine()): Parsed => {
  const given = readFlags(argv);
  if (typeof given === 'string') return { ok: false, sentence: `${given} ${usage}` };
  const parsed = flags.safeParse(given);
  if (!parsed.success) return { ok: false, sentence: parsed.error.issues[0]?.message ?? usage };
  const { data } = parsed.data;
  return {
    ok: true,
    options: {
      headless: parsed.data.headless,
      open: !parsed.data['no-open'],
      dataDir: data === undefined ? defaultDataDir(machine) : resolve(data),
      ownData: data !== undefined,
      uiPort: parsed.data['ui-port'],
      bridgePort: parsed.data['bridge-port'],
      service: parsed.data.service,
      keychain: parsed.data.keychain,
      verbose: parsed.data.verbose,
      hidden: parsed.data.hidden,
      restore: parsed.data.restore ?? null,
    },
  };
};
