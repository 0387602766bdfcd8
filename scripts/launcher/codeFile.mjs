import { hasSources, inRoot } from './root.mjs';

/**
 * The file that runs a part on plain Node: its bundle in an installed package, or where it was built from what the sources
 * are now; its source otherwise, which takes half a second longer to start.
 * @param {'cli' | 'headless'} part
 * @param {{ isBuilt?: boolean }} [more]
 */
export const codeFile = (part, { isBuilt = false } = {}) =>
  hasSources && !isBuilt ? inRoot('src', part, 'index.ts') : inRoot('out', 'main', `${part}.js`);
