import { optionDefinitions, parseHostOptions, usageLine, type ParsedOptions } from '../host/options.ts';
import { commands } from '../cli/commands.ts';
import { parseArgs } from 'node:util';

/** Computes the Damerau–Levenshtein distance. */
const computeEditDistance = (a: string, b: string): number => {
  const memo = new Map<string, number>();
  const computePrefixDistance = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j;
    const before = memo.get(`${i} ${j}`);
    if (before !== undefined) return before;
    const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const least = Math.min(
      computePrefixDistance(i - 1, j) + 1,
      computePrefixDistance(i, j - 1) + 1,
      computePrefixDistance(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      swapped ? computePrefixDistance(i - 2, j - 2) + 1 : Infinity,
    );
    memo.set(`${i} ${j}`, least);
    return least;
  };
  return computePrefixDistance(a.length, b.length);
};

const getMaxEditDistance = (own: string): number => (own.length > 5 ? 2 : 1);

const findSimilarOption = (given: string): string | null => {
  const name = given.toLowerCase();
  const isSimilarOption = (own: string): boolean =>
    own.startsWith(`${name}-`) ||
    (Math.abs(own.length - name.length) <= 2 && computeEditDistance(own, name) <= getMaxEditDistance(own));
  return Object.keys(optionDefinitions).find(isSimilarOption) ?? null;
};

/** These switches of Chromium and Node let another program debug the app, or weaken the protection of pages. */
const unsafeSwitches = [
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'browser-subprocess-path',
  'custom-devtools-frontend',
  'debug',
  'debug-brk',
  'debug-port',
  'disable-extensions-except',
  'disable-site-isolation-for-policy',
  'disable-site-isolation-trials',
  'disable-web-security',
  'gpu-launcher',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'inspect',
  'inspect-brk',
  'inspect-brk-node',
  'inspect-port',
  'inspect-publish-uid',
  'inspect-wait',
  'js-flags',
  'load-component-extension',
  'load-extension',
  'remote-allow-origins',
  'remote-debugging-address',
  'remote-debugging-io-pipes',
  'remote-debugging-pipe',
  'remote-debugging-port',
  'remote-debugging-socket-name',
  'remote-debugging-targets',
  'renderer-cmd-prefix',
  'single-process',
  'unsafely-treat-insecure-origin-as-secure',
  'utility-cmd-prefix',
  'zygote-cmd-prefix',
];
const unsafeSwitchFamilies = /^(inspect|remote-debugging|remote-allow)/;

/** Chromium accepts one dash instead of two. On Windows, Chromium also ignores letter case. */
const parseSwitchName = (arg: string): string | null => /^--?([^=]+)/.exec(arg)?.[1]?.toLowerCase() ?? null;

const findUnsafeSwitch = (argv: readonly string[], hasSwitch: (name: string) => boolean): string | null => {
  const end = argv.indexOf('--');
  const given = argv.slice(0, end === -1 ? argv.length : end).map(parseSwitchName);
  return (
    given.find((name) => name !== null && (unsafeSwitches.includes(name) || unsafeSwitchFamilies.test(name))) ??
    unsafeSwitches.find(hasSwitch) ??
    null
  );
};

export type AppSwitches = {
  packaged: boolean;
  hasSwitch?: (name: string) => boolean;
};

const parseSwitchArgument = (arg: string): { name: string; own: boolean } => {
  const [, dashes = '', name = ''] = /^(--?)([^=]*)/.exec(arg) ?? [];
  return { name, own: dashes === '--' && Object.hasOwn(optionDefinitions, name) };
};

const formatUnsafeSwitchError = (opening: string): string =>
  `--${opening} would open the companion to other programs of this computer, so the installed app does not start with it.`;

/**
 * Returns the words of a CLI command, a sentence that refuses the command line, or null if the app itself must start.
 */
export const parseCliCommand = (
  argv: readonly string[],
  { packaged, hasSwitch = () => false }: AppSwitches,
): readonly string[] | string | null => {
  const rest = argv.slice(1);
  const isCommandWord = (arg: string): boolean => !arg.startsWith('-');
  const at = packaged
    ? rest.findIndex(isCommandWord)
    : rest.findIndex((arg, index) => isCommandWord(arg) && index > rest.findIndex(isCommandWord));
  if (at === -1 || !Object.hasOwn(commands, rest[at] ?? '')) return null;
  if (rest.slice(0, at).some((arg) => parseSwitchArgument(arg).own)) return null;
  const opening = packaged ? findUnsafeSwitch(rest, hasSwitch) : null;
  return opening === null ? rest.slice(at) : formatUnsafeSwitchError(opening);
};

const helpSwitches = new Set(['help', 'h']);

/** `others` are switches that Chromium has already parsed. `given` contains folders, photos and links. */
const splitCommandLine = (argv: readonly string[]): Record<'flags' | 'given' | 'others' | 'before', string[]> => {
  const { tokens } = parseArgs({
    args: [...argv],
    options: optionDefinitions,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Set(tokens.flatMap(({ kind, index }) => (kind === 'positional' ? [index] : [])));
  const switches = new Set(tokens.flatMap(({ kind, index }) => (kind === 'option' ? [index] : [])));
  const isForeignSwitch = (arg: string, index: number): boolean => switches.has(index) && !parseSwitchArgument(arg).own;
  return {
    flags: argv.filter((arg, index) => !given.has(index) && arg !== '--' && !isForeignSwitch(arg, index)),
    given: argv.filter((_word, index) => given.has(index)),
    others: argv.filter(isForeignSwitch),
    before: argv.filter((_word, index) => !given.has(index)),
  };
};

const findSwitchRefusal = (others: readonly string[]): string | null => {
  for (const arg of others) {
    const { name } = parseSwitchArgument(arg);
    if (helpSwitches.has(name)) return usageLine;
    const meant = findSimilarOption(name);
    if (meant !== null) return `There is no option ${arg.split('=')[0]} here; did you mean --${meant}? ${usageLine}`;
  }
  return null;
};

/** `given` contains folders, photos and links. `before` is the command line without them. */
export const parseElectronCommandLine = (
  argv: readonly string[],
  { packaged, hasSwitch = () => false }: AppSwitches,
): { parsed: ParsedOptions; given: string[]; before: string[] } => {
  const rest = argv.slice(1);
  const first = packaged ? 0 : rest.findIndex((arg) => !arg.startsWith('-')) + 1;
  const own = rest.slice(first);
  const { flags, given, others, before } = splitCommandLine(own);
  const opening = packaged ? findUnsafeSwitch(rest, hasSwitch) : null;
  const sentence = opening === null ? findSwitchRefusal(others) : formatUnsafeSwitchError(opening);
  return {
    parsed: sentence === null ? parseHostOptions(flags) : { ok: false, sentence },
    given,
    before: [...rest.slice(0, first), ...before],
  };
};

/**
 * Returns the arguments of a restart. The app has already added the folders and restored the backup of this start, and the
 * person who restarts it expects a window.
 */
export const listRestartArguments = (argv: readonly string[], switches: AppSwitches): string[] => {
  const { before } = parseElectronCommandLine(argv, switches);
  const at = before.indexOf('--restore');
  const isDone = (word: string, place: number): boolean =>
    word === '--hidden' || word.startsWith('--restore') || (at !== -1 && place === at + 1);
  return before.filter((word, place) => !isDone(word, place));
};
