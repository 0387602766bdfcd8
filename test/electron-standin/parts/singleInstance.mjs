import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const isAlive = (lock) => {
  try {
    process.kill(Number(readlinkSync(lock)), 0);
    return true;
  } catch {
    return false;
  }
};

const tellFirst = (spool, data) => {
  const path = join(spool, randomUUID());
  writeFileSync(`${path}.tmp`, JSON.stringify([process.argv, process.cwd(), data]));
  renameSync(`${path}.tmp`, `${path}.json`);
};

const listen = (spool, onSecond) => {
  watch(spool, () => {
    for (const name of readdirSync(spool).filter((file) => file.endsWith('.json'))) {
      const path = join(spool, name);
      const [argv, folder, data] = JSON.parse(readFileSync(path, 'utf8'));
      rmSync(path);
      onSecond(argv, folder, data);
    }
  }).unref();
};

/** Takes the lock of a folder: a link to this process. Null when another one holds it, which is told then. */
export const takeLock = (folder, data, onSecond) => {
  const lock = join(folder, 'StandinLock');
  const spool = join(folder, 'StandinSpool');
  mkdirSync(spool, { recursive: true });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      symlinkSync(String(process.pid), lock);
      listen(spool, onSecond);
      return { release: () => rmSync(lock, { force: true }) };
    } catch {
      if (isAlive(lock)) {
        tellFirst(spool, data);
        return null;
      }
      rmSync(lock, { force: true });
    }
  }
  return null;
};
