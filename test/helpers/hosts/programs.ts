import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** The folder of the latest build, set by `npm test`. */
const built = process.env['COMPANION_BUILT'];

/** Tests start the built programs if they exist. Bundles start in half the time of sources, and users run bundles. */
const findProgram = (name: 'cli' | 'headless'): string =>
  built === undefined ? join(root, 'src', name, 'index.ts') : join(built, 'out', 'main', `${name}.js`);

/** The command line. */
export const commandLine = findProgram('cli');

/** The plain Node host. */
export const plainHost = findProgram('headless');
