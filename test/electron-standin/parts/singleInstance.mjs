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

const pidOf = (lock) => Number(readlinkSync(lock));

const isAlive = (lock) => {
  try {
    process.kill(pidOf(lock), 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * Orders a command line as Chromium passes it on: first the switches and one of Chromium's own, then all other
 * arguments. The value of a switch written without "=" is no longer next to its switch.
 */
export const asHandedOver = ([program, ...words]) => {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const isSwitch = (word, at) => at < end && /^--?./.test(word);
  return [
    program,
    ...words.filter(isSwitch),
    '--allow-file-access-from-files',
    ...words.filter((word, at) => !isSwitch(word, at)),
  ];
};

/**
 * The maximum message length of Electron before version 45, which took a longer message for a hanging first start and
 * killed that.
 */
const longestMessage = 32 * 1024;

const tellFirst = (spool, data) => {
  const path = join(spool, randomUUID());
  const message = JSON.stringify([asHandedOver(process.argv), process.cwd(), data ?? null]);
  if (Buffer.byteLength(message) > longestMessage) return false;
  writeFileSync(`${path}.tmp`, message);
  renameSync(`${path}.tmp`, `${path}.json`);
  return true;
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

/**
 * Takes a folder's lock, which is a link to this process. If another process holds it, notifies that process and
 * returns null; a process that cannot be notified is killed and its lock is taken.
 */
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
        if (tellFirst(spool, data)) return null;
        process.kill(pidOf(lock), 'SIGKILL');
      }
      rmSync(lock, { force: true });
    }
  }
  return null;
};
