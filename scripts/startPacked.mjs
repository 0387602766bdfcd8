// Checks that a packed app works: node scripts/startPacked.mjs <program>
// The fuses of the app exclude tools that could press a button, so the check uses the bridge and the commands. It also prepares
// photos, which needs the packed native modules.
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { askToPair, check, checkPacked, patienceMs, sandbox } from './packedApp.mjs';

await checkPacked(async ({ program, folder, url }) => {
  const run = (...words) =>
    promisify(execFile)(program, [...sandbox, ...words], { timeout: patienceMs }).then(
      ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code, said: `${stdout}${stderr}` }),
    );
  await askToPair(url, 'Check of the packed app');
  const status = await run('status', '--data', folder, '--keychain', 'memory');
  check(status.code === 3 && /not paired/.test(status.said), `"status" ended with ${status.code}: ${status.said}`);
  const prepared = join(folder, 'prepared by the command');
  const samples = join(import.meta.dirname, '..', 'resources', 'samples', 'Tovalind mugs');
  const preparing = await run('prepare', samples, '--out', prepared);
  const photos = preparing.code === 0 ? readdirSync(prepared).filter((name) => name.endsWith('.jpg')) : [];
  check(photos.length === 3, `"prepare" ended with ${preparing.code} and ${photos.length} photos: ${preparing.said}`);
});
