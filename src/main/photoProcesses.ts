import { app, utilityProcess } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kitchen } from '../host/kitchen.ts';
import type { HostParts } from '../host/runCompanion.ts';
import type { ProcessRuntime } from '../isolated/startIsolated.ts';
import { photoReading } from '../practice/writer/startReader.ts';

/** Returns the path of the Node that a package contains. In a checkout, this Node is in node_modules. */
const getBundledNodePath = (): string =>
  app.isPackaged
    ? join(process.resourcesPath, 'node')
    : join(app.getAppPath(), 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');

/** On Linux, Electron's libraries conflict with the native image library in one process, so a plain Node is used. */
export const createPhotoProcessStarters = (outDir: string): Pick<HostParts, 'startKitchen' | 'startReader'> => {
  const node = getBundledNodePath();
  const program: ProcessRuntime =
    process.platform === 'linux' && existsSync(node)
      ? { kind: 'node', path: node }
      : { kind: 'fork', fork: (entry, args, options) => utilityProcess.fork(entry, args, options) };
  // A plain Node cannot read an asar archive, so the package unpacks the files of these processes.
  const root = join(outDir, '..').replace(/app\.asar$/, program.kind === 'node' ? 'app.asar.unpacked' : 'app.asar');
  return {
    startKitchen: kitchen.starter(kitchen.built(root), program),
    startReader: photoReading.starter(photoReading.built(root), program),
  };
};
