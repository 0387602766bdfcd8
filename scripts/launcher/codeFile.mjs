import { hasSources, inRoot } from './root.mjs';

/**
 * The file that runs a part on plain Node: its source where there are sources, its bundle in an installed package.
 * @param {'cli' | 'headless'} part
 */
export const codeFile = (part) => (hasSources ? inRoot('src', part, 'index.ts') : inRoot('out', 'main', `${part}.js`));
