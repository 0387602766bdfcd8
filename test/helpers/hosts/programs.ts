import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** Where everything was just built; `npm test` names it. */
const built = process.env['COMPANION_BUILT'];

/**
 * What tests start as programs: as they were built, where that is. Bundles need half of what sources take to start, and are
 * what people run.
 */
const programOf = (name: 'cli' | 'headless'): string =>
  built === undefined ? join(root, 'src', name, 'index.ts') : join(built, 'out', 'main', `${name}.js`);

/** The command line. */
export const commandLine = programOf('cli');

/** The plain Node host. */
export const plainHost = programOf('headless');
