import { mkdtemp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLabelFolder, discardOldLabelFolders } from '../../../src/host/labels/labelFolders.ts';

test('the folders of crashed runs are removed, and those of running copies and other programs stay', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'label-folders-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const [crashed, running] = [await createLabelFolder(parent), await createLabelFolder(parent)];
  const other = join(parent, 'other-program');
  await mkdir(other);
  await writeFile(join(crashed, 'labels.pdf'), '%PDF');
  const now = Date.now();
  const twoDaysAgo = new Date(now - 2 * 86_400_000);
  for (const path of [crashed, other]) await utimes(path, twoDaysAgo, twoDaysAgo);
  await discardOldLabelFolders(parent, now);
  expect((await readdir(parent)).map((name) => join(parent, name)).toSorted()).toEqual([other, running].toSorted());
  await discardOldLabelFolders(join(parent, 'missing'), now);
});
