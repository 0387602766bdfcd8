import { spawn } from 'node:child_process';
import { cp, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { commandLine } from '../../helpers/hosts/programs.ts';
import { getFixtureFolder } from '../../helpers/photos/getFixtureFolder.ts';

const fileLine = z.strictObject({
  file: z.string(),
  outcome: z.enum(['ok', 'reject', 'ignore']),
  output: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  bytes: z.number().optional(),
  reason: z.string().optional(),
});
const totalsLine = z.strictObject({
  totals: z.record(z.string(), z.number()),
  stopped: z.literal(true).optional(),
});

const createFolder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'cli-prepare-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
};

type Ended = { code: number | null; stdout: string; stderr: string };

/** Runs the command as a shell does, and calls `onOutput` after each piece of output. */
const runPrepare = (
  args: string[],
  cwd: string,
  onOutput?: (stdout: string, kill: () => void) => void,
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [commandLine, 'prepare', ...args], {
      cwd,
      env: { ...process.env, INIT_CWD: cwd },
    });
    const ended: Ended = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (piece: Buffer) => {
      ended.stdout += piece.toString();
      onOutput?.(ended.stdout, () => child.kill('SIGINT'));
    });
    child.stderr.on('data', (piece: Buffer) => (ended.stderr += piece.toString()));
    child.on('close', (code) => resolve({ ...ended, code }));
  });

const parseLines = (stdout: string) => {
  const all = stdout.trimEnd().split('\n');
  const files = all.slice(0, -1).map((line) => fileLine.parse(JSON.parse(line)));
  return { files, last: totalsLine.parse(JSON.parse(all.at(-1) ?? '')) };
};

const listFiles = async (dir: string): Promise<string[]> =>
  (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();

/** Creates a realistic folder with subfolders, odd and equal names, links, junk and other files. */
const createMessyFolder = async (): Promise<{ dir: string; originals: Map<string, Buffer> }> => {
  const dir = join(await createFolder(), 'my photos');
  const good = join(await getFixtureFolder(), 'good');
  const copyFixture = async (from: string, to: string): Promise<void> => {
    await mkdir(join(dir, to, '..'), { recursive: true });
    await copyFile(join(good, from), join(dir, to));
  };
  await copyFixture('photo.jpg', 'shoes/IMG 1.jpg');
  await copyFixture('photo.png', 'shoes/IMG 1.png');
  await copyFixture('orientation-6.jpg', 'shoes/left/IMG 1.jpg');
  await copyFixture('photo.webp', 'Möbel 家具/stuhl.webp');
  await copyFixture('no-ending', 'Möbel 家具/no ending');
  await copyFixture('photo.jpg', '.hidden/secret.jpg');
  await writeFile(join(dir, 'shoes/._IMG 1.jpg'), 'side file');
  await writeFile(join(dir, 'shoes/notes.txt'), 'bought 2019');
  await writeFile(join(dir, 'shoes/broken.jpg'), 'not a photo');
  await writeFile(join(dir, 'shoes/empty.jpg'), '');
  await symlink(join(dir, 'shoes/left/IMG 1.jpg'), join(dir, 'link.jpg'));
  await symlink(join(dir, 'nowhere.jpg'), join(dir, 'dangling.jpg'));
  await symlink(dir, join(dir, 'shoes/round'));
  const originals = new Map<string, Buffer>();
  for (const name of await listFiles(dir)) originals.set(name, await readFile(join(dir, name)));
  return { dir, originals };
};

test('the prepare command reports each file and writes one output file per photo', async () => {
  const { dir, originals } = await createMessyFolder();
  const out = join(dir, 'for upload');
  const { code, stdout, stderr } = await runPrepare(
    ['my photos', '--out', 'my photos/for upload', '--json'],
    join(dir, '..'),
  );
  expect([code, stderr]).toEqual([0, '']);
  const { files, last } = parseLines(stdout);
  const outcomes = Object.fromEntries(files.map(({ file, outcome }) => [file.slice('my photos/'.length), outcome]));
  expect(outcomes).toEqual({
    'shoes/IMG 1.jpg': 'ok',
    'shoes/IMG 1.png': 'ok',
    'shoes/left/IMG 1.jpg': 'ok',
    'Möbel 家具/stuhl.webp': 'ok',
    'Möbel 家具/no ending': 'ok',
    'link.jpg': 'ok',
    'dangling.jpg': 'reject',
    'shoes/broken.jpg': 'reject',
    'shoes/empty.jpg': 'reject',
    'shoes/._IMG 1.jpg': 'ignore',
    'shoes/notes.txt': 'ignore',
  });
  expect(last.totals).toMatchObject({ files: 11, ok: 6, reject: 3, ignore: 2 });
  for (const { outcome, output, width, height, bytes, reason } of files) {
    if (outcome !== 'ok') {
      expect(reason).toMatch(/\.$/);
      continue;
    }
    const made = await readFile(join(dir, '..', output ?? ''));
    expect(made.length).toBe(bytes);
    expect(await sharp(made).metadata()).toMatchObject({ format: 'jpeg', width, height });
  }
  expect(await listFiles(out)).toEqual(
    [
      'shoes/IMG 1.jpg',
      'shoes/IMG 1 (2).jpg',
      'shoes/left/IMG 1.jpg',
      'Möbel 家具/stuhl.jpg',
      'Möbel 家具/no ending.jpg',
      'link.jpg',
    ].sort(),
  );
  for (const [name, bytes] of originals) expect(await readFile(join(dir, name)), name).toEqual(bytes);

  // A second run ignores the output of the first run and creates no further files.
  const again = parseLines(
    (await runPrepare(['my photos', '--out', 'my photos/for upload', '--json'], join(dir, '..'))).stdout,
  );
  expect(again.files).toEqual(files);
  expect(await listFiles(out)).toHaveLength(6);
});

test('the prepare command applies the format and size options without overwriting files', async () => {
  const dir = await createFolder();
  await copyFile(join(await getFixtureFolder(), 'good/large.jpg'), join(dir, 'large.jpg'));
  await writeFile(join(dir, 'large.webp'), 'something of the person');
  const { code, stdout } = await runPrepare(
    ['large.jpg', '--out', '.', '--size', '800', '--format', 'webp', '--json'],
    dir,
  );
  expect(code).toBe(0);
  expect(parseLines(stdout).files).toMatchObject([
    { file: 'large.jpg', outcome: 'ok', output: 'large (2).webp', width: 800, height: 600 },
  ]);
  expect(await readFile(join(dir, 'large.webp'), 'utf8')).toBe('something of the person');
});

test('the prepare command prints readable lines without control characters', async () => {
  const dir = await createFolder();
  await copyFile(join(await getFixtureFolder(), 'good/photo.jpg'), join(dir, 'a\u001b[2Jb.jpg'));
  const { code, stdout } = await runPrepare(['.', '--out', '../' + dir.split('/').at(-1) + '-out'], dir);
  onTestFinished(() => rm(`${dir}-out`, { recursive: true, force: true }));
  expect(code).toBe(0);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/^ok .*400 × 300/);
  expect(stdout).toMatch(/1 prepared .* 0 refused, 0 skipped\.\n$/);
});

test.for([
  [[], 'IN is missing'],
  [['nowhere', '--out', 'x'], 'is not there'],
  [['.'], '--out is missing'],
  [['.', '--out', '.'], 'the originals itself'],
  [['.', '--out', 'file/x'], 'cannot be used'],
  [['.', '--out', 'x', '--size', 'big'], '--size has to be'],
  [['.', '--out', 'x', '--format', 'gif'], '--format has to be'],
  [['.', '--out', 'x', '--frobnicate'], 'frobnicate'],
  [['.', 'more', '--out', 'x'], 'one too many'],
] as const)('the prepare command refuses the wrong arguments %j with exit code 2', async ([args, sentence]) => {
  const dir = await createFolder();
  await writeFile(join(dir, 'file'), '');
  const { code, stdout, stderr } = await runPrepare([...args], dir);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(sentence);
});

test('Ctrl-C stops the prepare command without leaving a partial file', async () => {
  const dir = await createFolder();
  const large = join(await getFixtureFolder(), 'good/large.jpg');
  await mkdir(join(dir, 'in'));
  for (let index = 0; index < 60; index += 1) await cp(large, join(dir, `in/IMG_${index}.jpg`));
  let killed = false;
  const { code, stdout } = await runPrepare(['in', '--out', 'out', '--json'], dir, (said, kill) => {
    if (!killed && said.includes('\n')) kill();
    killed = true;
  });
  expect(code).toBe(130);
  const { files, last } = parseLines(stdout);
  expect(last.stopped).toBe(true);
  expect(files.length).toBeLessThan(60);
  expect(await listFiles(join(dir, 'out'))).toHaveLength(files.length);
});
