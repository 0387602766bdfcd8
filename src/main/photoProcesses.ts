import { app, utilityProcess } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kitchen } from '../host/kitchen.ts';
import type { HostParts } from '../host/runCompanion.ts';
import type { Program } from '../isolated/startIsolated.ts';
import { photoReading } from '../practice/writer/startReader.ts';

/** The Node beside Electron on Linux: a package brings one, and a checkout has the one it is developed with. */
const nodeBeside = (): string =>
  app.isPackaged
    ? join(process.resourcesPath, 'node')
    : join(app.getAppPath(), 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');

/**
 * What starts the processes that decode photos beside Electron. On Linux a plain Node, as Electron's libraries and those of
 * the native image library cannot live in one process; elsewhere, and where there is none, a process of Electron itself.
 */
export const photoProcesses = (outDir: string): Pick<HostParts, 'startKitchen' | 'startReader'> => {
  const node = nodeBeside();
  const program: Program =
    process.platform === 'linux' && existsSync(node)
      ? { kind: 'node', path: node }
      : { kind: 'fork', fork: (entry, args, options) => utilityProcess.fork(entry, args, options) };
  // A plain Node reads no archive: what the processes need lies beside it.
  const root = join(outDir, '..').replace(/app\.asar$/, program.kind === 'node' ? 'app.asar.unpacked' : 'app.asar');
  return {
    startKitchen: kitchen.starter(kitchen.built(root), program),
    startReader: photoReading.starter(photoReading.built(root), program),
  };
};
