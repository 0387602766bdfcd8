import { parseOptions, splitArguments, type Parsed } from '../host/options.ts';

/** Switches of Chromium that people and desktops add; Electron has taken them already. */
const ofChromium =
  /^--(no-sandbox|disable-|enable-|ozone-|force-|remote-debugging-|inspect|user-data-dir|lang=|allow-file-access|original-process-start-time)/;

/** The companion's options out of Electron's whole command line, and the words that are folders, photos or links. */
export const readCommandLine = (argv: readonly string[], packaged: boolean): { parsed: Parsed; given: string[] } => {
  const rest = argv.slice(1);
  // Unpackaged, the first word that is no switch is the app's folder.
  const own = packaged ? rest : rest.slice(rest.findIndex((word) => !word.startsWith('-')) + 1);
  const { flags, given } = splitArguments(own.filter((word) => !ofChromium.test(word)));
  return { parsed: parseOptions(flags), given };
};
