import { join } from 'node:path';
import { kitchen } from '../../../src/host/kitchen.ts';

const built = process.env['COMPANION_BUILT'];

/**
 * The code of the process that decodes photos. `npm test` names where it was just built: each of the hundreds of worlds
 * starts its own process, and a bundle is there in half the time that its sources take.
 */
export const kitchenCode =
  built === undefined ? kitchen.source(join(import.meta.dirname, '..', '..', '..')) : kitchen.built(built);

export const startKitchen = kitchen.starter(kitchenCode, { kind: 'node', path: process.execPath });
