import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KitchenProcess, StartKitchen } from '../../../src/core/photos/kitchenClient.ts';
import { kitchenStarter, type KitchenCode } from '../../../src/host/kitchen.ts';
import type { Walls } from '../../../src/isolated/startIsolated.ts';
import { kitchenCode } from './startKitchen.ts';
import { tempDir } from './photoWorld.ts';

/** The long edge that a photo of these tests is asked for in, to be known by it. */
export const marked = 666;

const node = { kind: 'node', path: process.execPath } as const;

/** The kitchen with code of a test's own before it; that is JavaScript, and `dir` is the folder that it may read besides. */
export const kitchenBehind = async (prelude: string): Promise<KitchenCode> => {
  const dir = await tempDir();
  const path = join(dir, 'entry.mjs');
  await writeFile(path, `${prelude}\nawait import(${JSON.stringify(kitchenCode.entry.href)});`);
  return { ...kitchenCode, entry: pathToFileURL(path), readable: [...kitchenCode.readable, dir] };
};

/** Code that ends its process, by itself, as soon as it is sent some text. */
export const diesOf = (text: string): string => `
  const set = Uint8Array.prototype.set;
  Uint8Array.prototype.set = function (piece, at) {
    if (Buffer.from(piece).includes(${JSON.stringify(text)})) process.exit(7);
    return set.call(this, piece, at);
  };`;

/** Ends the whole process, by itself, as soon as it is sent the marked photo. */
export const diesOfMarked = diesOf(`"longEdgePx":${marked}`);

type Started = KitchenProcess & { pid: number | undefined };

/** What starts kitchens, and those that it has started, the newest last. */
export const watchedKitchen = (code: KitchenCode = kitchenCode, walls?: Walls) => {
  const started: Started[] = [];
  const start = kitchenStarter(code, node, walls ? { walls } : {});
  const startKitchen: StartKitchen = async (onMessage) => {
    const made = await start(onMessage);
    started.push(Object.assign(made, { pid: 'pid' in made ? Number(made.pid) : undefined }));
    return made;
  };
  return { startKitchen, started };
};
