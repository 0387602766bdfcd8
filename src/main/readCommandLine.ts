import { parseArgs } from 'node:util';
import { known, parseOptions, usage, type Parsed } from '../host/options.ts';
import { meantOption } from './meantOption.ts';
import { openingSwitch } from './openingSwitches.ts';

type App = {
  packaged: boolean;
  /** Whether Chromium has read this switch, in whatever way it was written. */
  hasSwitch?: (name: string) => boolean;
};

const helps = new Set(['help', 'h']);

/** An argument that begins like a switch: its name as it was written, and whether it is an option of ours. */
const switchOf = (arg: string): { name: string; own: boolean } => {
  const [, dashes = '', name = ''] = /^(--?)([^=]*)/.exec(arg) ?? [];
  return { name, own: dashes === '--' && Object.hasOwn(known, name) };
};

/**
 * The words of a command line: options of ours with their values, what is given (folders, photos, links), and switches
 * that are somebody else's. Those are Chromium's, which has taken them already.
 */
const splitWords = (argv: readonly string[]): Record<'flags' | 'given' | 'others' | 'before', string[]> => {
  const { tokens } = parseArgs({
    args: [...argv],
    options: known,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = new Set(tokens.flatMap(({ kind, index }) => (kind === 'positional' ? [index] : [])));
  const switches = new Set(tokens.flatMap(({ kind, index }) => (kind === 'option' ? [index] : [])));
  const isOther = (arg: string, index: number): boolean => switches.has(index) && !switchOf(arg).own;
  return {
    flags: argv.filter((arg, index) => !given.has(index) && arg !== '--' && !isOther(arg, index)),
    given: argv.filter((_word, index) => given.has(index)),
    others: argv.filter(isOther),
    before: argv.filter((_word, index) => !given.has(index)),
  };
};

const refusalOf = (others: readonly string[]): string | null => {
  for (const arg of others) {
    const { name } = switchOf(arg);
    if (helps.has(name)) return usage;
    const meant = meantOption(name);
    if (meant !== null) return `There is no option ${arg.split('=')[0]} here; did you mean --${meant}? ${usage}`;
  }
  return null;
};

/**
 * The companion's options out of Electron's whole command line, and the words that are folders, photos or links. Switches of
 * Chromium pass, as desktops and people add them, but for those that would open an installed app to other programs; a
 * name that was meant to be one of ours is told. `before` is all of it but what is given.
 */
export const readCommandLine = (
  argv: readonly string[],
  { packaged, hasSwitch = () => false }: App,
): { parsed: Parsed; given: string[]; before: string[] } => {
  const rest = argv.slice(1);
  // Unpackaged, the first argument that is no switch is the app's folder.
  const first = packaged ? 0 : rest.findIndex((arg) => !arg.startsWith('-')) + 1;
  const own = rest.slice(first);
  const { flags, given, others, before } = splitWords(own);
  const opening = packaged ? openingSwitch(rest, hasSwitch) : null;
  const sentence =
    opening === null
      ? refusalOf(others)
      : `--${opening} would open the companion to other programs of this computer, so the installed app does not start with it.`;
  return {
    parsed: sentence === null ? parseOptions(flags) : { ok: false, sentence },
    given,
    before: [...rest.slice(0, first), ...before],
  };
};
