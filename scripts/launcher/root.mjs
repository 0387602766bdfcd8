import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** False in an installed package, which contains only the built app. */
export const hasSources = existsSync(join(root, 'src'));

/** @param {...string} parts a path within the project */
export const inRoot = (...parts) => join(root, ...parts);
