import { join } from 'node:path';
import { kitchen } from '../../../src/host/kitchen.ts';

const built = process.env['COMPANION_BUILT'];

/**
 * The code of the process that decodes photos. `npm test` names a bundle, which starts in half the time of sources;
 * hundreds of worlds each start a process.
 */
export const kitchenCode =
  built === undefined ? kitchen.source(join(import.meta.dirname, '..', '..', '..')) : kitchen.built(built);

export const startKitchen = kitchen.starter(kitchenCode, { kind: 'node', path: process.execPath });
