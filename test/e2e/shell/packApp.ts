import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');

/** A binary of Electron marks its fuses with this sentinel, a version, a count and one byte per fuse. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const unsetFuses = '10110011';

/** Creates a stub of Electron with only the files that the packager needs. */
const createElectronStub = (folder: string): string => {
  for (const dir of ['locales', 'resources']) mkdirSync(join(folder, dir), { recursive: true });
  const fuses = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, unsetFuses.length]), Buffer.from(unsetFuses)]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 0\n'), fuses]));
  chmodSync(join(folder, 'electron'), 0o755);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak', 'locales/ja.pak']) {
    writeFileSync(join(folder, name), 'stub');
  }
  return folder;
};

/** Packs the built app for Linux with the stub and returns the folder of the result. */
export const packApp = async (folder: string): Promise<string> => {
  const cli = join(root, 'node_modules', 'electron-builder', 'cli.js');
  await promisify(execFile)(
    process.execPath,
    [
      ...[cli, '--linux', '--dir', '--config', 'electron-builder.yml'],
      `-c.electronDist=${createElectronStub(join(folder, 'stubs'))}`,
      `-c.directories.output=${join(folder, 'packed')}`,
    ],
    { cwd: root },
  );
  return join(folder, 'packed', process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked');
};
