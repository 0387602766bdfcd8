import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Whether this is the project itself; an installed package has the built app alone. */
export const hasSources = existsSync(join(root, 'src'));

/** @param {...string} parts a path within the project */
export const inRoot = (...parts) => join(root, ...parts);
