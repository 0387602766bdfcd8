import { resolve, win32 } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSafeAddress } from '../text/webAddress.ts';
import { getDefaultDataDir, getThisMachine, type Machine } from './data/dataFolder.ts';

/** `service` is `practice` or the base URL of a service. */
export type Options = {
  headless: boolean;
  open: boolean;
  dataDir: string;
  /** True if the person named the data folder. Such a folder has its own secrets. */
  ownData: boolean;
  uiPort: number;
  bridgePort: number;
  service: string;
  keychain: 'system' | 'memory';
  verbose: boolean;
  /** Starts the desktop app without a window, for example when the person signs in to the computer. */
  hidden: boolean;
  /** The name of the backup to restore, or `newest`. */
  restore: string | null;
};

export type ParsedOptions = { ok: true; options: Options } | { ok: false; sentence: string };

export const usageLine =
  'Use: [--headless] [--no-open] [--data DIR] [--ui-port N] [--bridge-port N] [--service practice|URL] [--keychain system|memory] [--verbose] [--hidden] [--restore newest|NAME]';

/** The key is sent with every request, so plain http is allowed on this machine only. */
const isServiceUrl = (value: string): boolean => parseSafeAddress(value) !== null;

export const optionDefinitions = {
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

const parseOptionFlags = (argv: readonly string[]) =>
  parseArgs({ args: [...argv], options: optionDefinitions, strict: true, allowPositionals: false }).values;
type Flags = ReturnType<typeof parseOptionFlags>;

const isNonEmptyText = (value: string): boolean => value !== '';
const isPortNumber = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) <= 65_535;
const isServiceOption = (value: string): boolean => value === 'practice' || isServiceUrl(value);

/** Windows reserves these names for devices, in any folder and with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9]) *(?:\..*)?$/i;
const hasNoDeviceName = (path: string, { platform }: Machine): boolean =>
  platform !== 'win32' || !path.split(/[\\/]/).some((name) => deviceName.test(name));

/** Windows limits paths to 260 characters, and the companion needs 60 of them for paths below the folder. */
const maxWindowsFolderChars = 200;
const isPathShortEnough = (path: string, { platform }: Machine): boolean =>
  platform !== 'win32' || win32.resolve(path).length <= maxWindowsFolderChars;

type OptionRule = {
  flag: 'data' | 'ui-port' | 'bridge-port' | 'service' | 'keychain' | 'restore';
  allows: (value: string, machine: Machine) => boolean;
  otherwise: string;
};

/** The options are read before Chromium starts. Loading zod would delay the start, so zod is not used. */
const optionRules: readonly OptionRule[] = [
  { flag: 'data', allows: isNonEmptyText, otherwise: '--data takes a folder.' },
  {
    flag: 'data',
    allows: hasNoDeviceName,
    otherwise: '--data takes a folder, and Windows keeps names such as CON, NUL and COM1 for devices.',
  },
  {
    flag: 'data',
    allows: isPathShortEnough,
    otherwise: `--data takes a folder of up to ${maxWindowsFolderChars} characters on Windows.`,
  },
  { flag: 'ui-port', allows: isPortNumber, otherwise: '--ui-port takes a port from 0 to 65535.' },
  { flag: 'bridge-port', allows: isPortNumber, otherwise: '--bridge-port takes a port from 0 to 65535.' },
  {
    flag: 'service',
    allows: isServiceOption,
    otherwise: '--service takes "practice" or an https address (http on this machine only).',
  },
  {
    flag: 'keychain',
    allows: (value) => value === 'system' || value === 'memory',
    otherwise: '--keychain takes "system" or "memory".',
  },
  { flag: 'restore', allows: isNonEmptyText, otherwise: '--restore takes “newest” or the name of a copy.' },
];

const findViolatedRule = (given: Flags, machine: Machine): OptionRule | undefined =>
  optionRules.find(({ flag, allows }) => {
    const value = given[flag];
    return value !== undefined && !allows(value, machine);
  });

const tryParseOptionFlags = (argv: readonly string[]): Flags | string => {
  try {
    return parseOptionFlags(argv);
  } catch (error) {
    // Only the first sentence of Node's message names the error.
    const sentence = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? '') : '';
    return `${sentence.replace(/\.$/, '')}.`;
  }
};

export const parseHostOptions = (argv: readonly string[], machine: Machine = getThisMachine()): ParsedOptions => {
  const given = tryParseOptionFlags(argv);
  if (typeof given === 'string') return { ok: false, sentence: `${given} ${usageLine}` };
  const broken = findViolatedRule(given, machine);
  if (broken !== undefined) return { ok: false, sentence: broken.otherwise };
  const { data } = given;
  return {
    ok: true,
    options: {
      headless: given.headless ?? false,
      open: !given['no-open'],
      dataDir: data === undefined ? getDefaultDataDir(machine) : resolve(data),
      ownData: data !== undefined,
      uiPort: Number(given['ui-port'] ?? 0),
      bridgePort: Number(given['bridge-port'] ?? 47_800),
      service: given.service ?? 'practice',
      keychain: given.keychain === 'memory' ? 'memory' : 'system',
      verbose: given.verbose ?? false,
      hidden: given.hidden ?? false,
      restore: given.restore ?? null,
    },
  };
};
