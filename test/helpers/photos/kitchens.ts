import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { kitchen } from '../../../src/host/kitchen.ts';
import type { PhotoProcessCode } from '../../../src/isolated/photoProcess.ts';
import type { ClientProcess, StartProcess } from '../../../src/isolated/processClient.ts';
import type { SandboxParts } from '../../../src/isolated/startIsolated.ts';
import { kitchenCode } from './startKitchen.ts';
import { createTempDir } from './photoWorld.ts';

/** An unusual long edge, which identifies a photo of these tests. */
export const marked = 666;

const node = { kind: 'node', path: process.execPath } as const;

/**
 * Returns the photo process with a test's own JavaScript before its code; `dir` is an additional folder that it may
 * read.
 */
export const prependToKitchen = async (prelude: string): Promise<PhotoProcessCode> => {
  const dir = await createTempDir();
  const path = join(dir, 'entry.mjs');
  await writeFile(path, `${prelude}\nawait import(${JSON.stringify(kitchenCode.entry.href)});`);
  return { ...kitchenCode, entry: pathToFileURL(path), readable: [...kitchenCode.readable, dir] };
};

/** Returns code that ends its process as soon as it receives this text. */
export const buildCrashCode = (text: string): string => `
  const set = Uint8Array.prototype.set;
  Uint8Array.prototype.set = function (piece, at) {
    if (Buffer.from(piece).includes(${JSON.stringify(text)})) process.exit(7);
    return set.call(this, piece, at);
  };`;

/** Ends the whole process as soon as it receives the marked photo. */
export const crashOnMarked = buildCrashCode(`"longEdgePx":${marked}`);

type Started = ClientProcess & { pid: number | undefined };

/** Wraps the start of photo processes and records the started processes, newest last. */
export const watchKitchens = (code: PhotoProcessCode = kitchenCode, sandbox?: SandboxParts) => {
  const started: Started[] = [];
  const start = kitchen.starter(code, node, sandbox ? { sandbox } : {});
  const startKitchen: StartProcess = async (onMessage) => {
    const made = await start(onMessage);
    started.push(Object.assign(made, { pid: 'pid' in made ? Number(made.pid) : undefined }));
    return made;
  };
  return { startKitchen, started };
};
