import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findNamespaces } from '../../../src/isolated/linuxWalls.ts';
import { startIsolated, type IsolatedProcess } from '../../../src/isolated/startIsolated.ts';
import { tempDir } from '../../helpers/photos/photoWorld.ts';

const isolated = join(import.meta.dirname, '..', '..', '..', 'src', 'isolated');
const hasNamespaces =
  process.platform === 'linux' &&
  (await findNamespaces(process.execPath, [process.execPath, isolated], isolated)) !== null;

/** Starts some code in a folder of its own, and counts the processes that this one starts for it. */
const starterOf = async (code: string) => {
  const dir = await tempDir();
  await writeFile(join(dir, 'entry.mjs'), code);
  const counts = { spawned: 0 };
  const count = (): void => void (counts.spawned += 1);
  subscribe('child_process', count);
  onTestFinished(() => void unsubscribe('child_process', count));
  const options = {
    program: { kind: 'node', path: process.execPath },
    ...{ name: 'test', entry: pathToFileURL(join(dir, 'entry.mjs')), mostBytes: 1_000, readable: [dir, isolated] },
  } as const;
  const start = async (): Promise<IsolatedProcess> => {
    const made = await startIsolated(options, () => undefined);
    onTestFinished(async () => {
      made.kill();
      await made.ended;
    });
    return made;
  };
  return { start, counts };
};

const channel = pathToFileURL(join(isolated, 'childChannel.ts')).href;

test.skipIf(!hasNamespaces)('nothing is tried before a start in namespaces that are there', async () => {
  const { start, counts } = await starterOf(
    `import { openChannel } from ${JSON.stringify(channel)}; openChannel(1_000, () => undefined);`,
  );
  expect((await start()).facts.walls).toContain('namespaces');
  expect((await start()).facts.walls).toContain('namespaces');
  expect(counts.spawned).toBe(2);
});

test.skipIf(!hasNamespaces)('code that ends before its greeting leaves no wall out, and has not started', async () => {
  const { start, counts } = await starterOf('process.exit(3);');
  const made = await start();
  expect(made.facts.walls).toContain('namespaces');
  expect(await made.ended).toMatchObject({ cause: 'start' });
  // The namespaces that are likely there, and then each kind was tried.
  expect(counts.spawned).toBeGreaterThan(2);
});
