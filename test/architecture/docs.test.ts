import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';

const root = join(import.meta.dirname, '..', '..');
const readProjectFile = (file: string): string => readFileSync(join(root, file), 'utf8');

const listMarkdownFiles = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const documents = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...listMarkdownFiles('docs')];

/** Links of a document to files of the project. */
const listLinks = (document: string): string[] =>
  [...readProjectFile(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

/** The headings of a document as link anchors. */
const listAnchors = (document: string): string[] =>
  [...readProjectFile(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const isLinkValid = (document: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  return existsSync(join(root, target)) && (anchor === undefined || listAnchors(target).includes(anchor));
};

/** Returns the project files that a document names between backticks, except patterns. */
const listNamedFiles = (document: string): string[] =>
  [...readProjectFile(document).matchAll(/`((?:src|test|tools|scripts|bench|resources|\.github)\/[^`\s]*)`/g)]
    .map(([, file = '']) => file)
    .filter((file) => !/[*{<…]/.test(file));

test('the bridge reference and the list of licences match the code', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'docs-'));
  try {
    await promisify(execFile)(process.execPath, [join(root, 'scripts/makeDocs.mjs'), folder]);
    const made = readdirSync(folder);
    expect(made.toSorted()).toEqual(['bridge.md', 'licences.md']);
    const old = made.filter((name) => readProjectFile(join('docs', name)) !== readFileSync(join(folder, name), 'utf8'));
    expect(old, 'Run "npm run docs".').toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(documents)('every link in %s has an existing target', (document) => {
  expect(listLinks(document).filter((link) => !isLinkValid(document, link))).toEqual([]);
});

test.each(documents)('every file named in %s exists', (document) => {
  expect(listNamedFiles(document).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

const packageJson = z.object({ scripts: z.record(z.string(), z.string()) });

test.each(documents)('every npm command named in %s exists', (document) => {
  const { scripts } = packageJson.parse(JSON.parse(readProjectFile('package.json')));
  const named = [...readProjectFile(document).matchAll(/npm (?:run (?:-s )?([\w:]+)|(start|test))\b/g)].map(
    ([, run, own]) => run ?? own ?? '',
  );
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
