import { parseOptions, type Parsed } from '../host/options.ts';

/** Switches of Chromium that people and desktops add; Electron has taken them already. */
const ofChromium = /^--(no-sandbox|disable-|enable-|ozone-|force-|remote-debugging-|inspect|user-data-dir|lang=)/;

/** The companion's options out of Electron's whole command line. */
export const readCommandLine = (argv: readonly string[], packaged: boolean): Parsed => {
  const rest = argv.slice(1);
  // Unpackaged, the first word that is no switch is the app's folder.
  const own = packaged ? rest : rest.slice(rest.findIndex((word) => !word.startsWith('-')) + 1);
  return parseOptions(own.filter((word) => !ofChromium.test(word)));
};
