import { app, utilityProcess } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kitchen } from '../host/kitchen.ts';
import type { HostParts } from '../host/runCompanion.ts';
import type { Program } from '../isolated/startIsolated.ts';
import { photoReading } from '../practice/writer/startReader.ts';

/** Returns the Node that runs beside Electron on Linux: bundled with a package, in node_modules of a checkout. */
const findBundledNode = (): string =>
  app.isPackaged
    ? join(process.resourcesPath, 'node')
    : join(app.getAppPath(), 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');

/**
 * Returns the functions that start the photo-decoding processes. On Linux they run in a plain Node, because Electron's
 * libraries and the native image library conflict in one process. Elsewhere, or without that Node, they are Electron
 * utility processes.
 */
export const createPhotoProcesses = (outDir: string): Pick<HostParts, 'startKitchen' | 'startReader'> => {
  const node = findBundledNode();
  const program: Program =
    process.platform === 'linux' && existsSync(node)
      ? { kind: 'node', path: node }
      : { kind: 'fork', fork: (entry, args, options) => utilityProcess.fork(entry, args, options) };
  // A plain Node cannot read an asar archive, so the files of these processes are unpacked.
  const root = join(outDir, '..').replace(/app\.asar$/, program.kind === 'node' ? 'app.asar.unpacked' : 'app.asar');
  return {
    startKitchen: kitchen.starter(kitchen.built(root), program),
    startReader: photoReading.starter(photoReading.built(root), program),
  };
};
