import { hasSources, inRoot } from './root.mjs';

/**
 * Returns the file that runs a part on plain Node: the bundle if it is current, else the source, which starts half a second
 * later.
 * @param {'cli' | 'headless'} part
 * @param {{ isBuilt?: boolean }} [more]
 */
export const codeFile = (part, { isBuilt = false } = {}) =>
  hasSources && !isBuilt ? inRoot('src', part, 'index.ts') : inRoot('out', 'main', `${part}.js`);
