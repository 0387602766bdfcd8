import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param {...string} parts a path within the project */
export const inRoot = (...parts) => join(root, ...parts);
