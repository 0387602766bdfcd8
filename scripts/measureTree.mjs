// Prints measures of the source tree as a table: `npm run measure [-- --check] [-- --all]`.
// With --check the exit code is 1 if a limit is broken. --all also lists measures that have no limit or keep their limit.
import { basename, dirname } from 'node:path';
import { root } from './launcher/root.mjs';
import { filesBelow, readSources } from './readSources.mjs';

/** Upper limits by measure. A measure without a limit is only printed. */
const limits = {
  'files per 1,000 lines': 8.3,
  'lines a file, 90th percentile': 250,
  'lines a file, most': 400,
  'files over 400 lines': 0,
  'folders with more than 20 files': 0,
  'functions over 60 lines, components over 100': 0,
  'casts with "as" per 1,000 lines': 1,
  any: 0,
  'import rings at run time': 0,
  'import rings with types': 0,
  'share of one-word function names in %': 5,
  'names that start with "most"': 0,
  'banned words per 1,000 comment lines': 1,
};

/** Lower limits by measure, against fragmented files and vague names. */
const leasts = { 'lines a file, median': 80, 'words in a function name, mean': 2.6 };

const most = { file: 400, folder: 20, function: 60, component: 100, smallFile: 80 };
const language = /\/(words|i18n|locales)\/(en|de|fr|it|es|nl|pl)\//;

/** Words that readers must read twice. A comment names the subject and the noun instead. */
const banned = /\b(nobody|somebody|whoever|anew|meanwhile|is none|are none|goes on)\b/giu;

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
const percentile = (numbers, part) => numbers.toSorted((a, b) => a - b)[Math.ceil(numbers.length * part) - 1] ?? 0;
const count = (keys) => keys.reduce((counts, key) => counts.set(key, (counts.get(key) ?? 0) + 1), new Map());

/** Finds the strongly connected components with more than one file, largest first (Tarjan). */
const ringsOf = (edges) => {
  const [index, low, stack, onStack, rings] = [new Map(), new Map(), [], new Set(), []];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    onStack.add(file);
    for (const next of edges.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (onStack.has(next)) low.set(file, Math.min(low.get(file), low.get(next)));
    }
    if (low.get(file) !== index.get(file)) return;
    const ring = stack.splice(stack.indexOf(file));
    for (const one of ring) onStack.delete(one);
    if (ring.length > 1) rings.push(ring.toSorted());
  };
  for (const file of edges.keys()) if (!index.has(file)) visit(file);
  return rings.toSorted((a, b) => b.length - a.length);
};

const edgesOf = (sources, keep) =>
  new Map(sources.map(({ path, imports }) => [path, [...new Set(imports.filter(keep).map(({ target }) => target))]]));

const onceImported = (sources) => {
  const edges = [...edgesOf(sources, () => true)].flatMap(([from, targets]) => targets.map((to) => [from, to]));
  const importers = count(edges.map(([, to]) => to));
  const lines = new Map(sources.map((source) => [source.path, source.lines]));
  return edges
    .filter(([, to]) => to.startsWith('src/renderer/') && importers.get(to) === 1)
    .map(([from, to]) => ({ from, to, lines: lines.get(to) }));
};

const ringLines = (rings) => rings.map((ring) => `${ring.length} files: ${ring.join(', ')}`);
const onceLines = (files) => files.map(({ from, to, lines }) => `${lines} ${to} <- ${from}`);

/** Returns each measure as a name, a number and an optional list of occurrences. */
const measure = (files, sources) => {
  const lines = sources.map((source) => source.lines);
  const all = sum(lines);
  const per = (part, whole) => (whole === 0 ? 0 : part / whole);
  const longFiles = sources.filter((source) => source.lines > most.file);
  // The number of migrations can only grow, and each migration is found by its number.
  const sought = files.filter((file) => !/^\d{4}-/.test(basename(file)));
  const folders = [...count(sought.map((file) => dirname(file)))].filter(([, number]) => number > most.folder);
  const longFunctions = sources
    .flatMap(({ path, functions }) => functions.map((one) => ({ ...one, path })))
    .filter((one) => one.lines > (one.component ? most.component : most.function))
    .toSorted((a, b) => b.lines - a.lines);
  const casts = sources.filter((source) => source.casts > 0).toSorted((a, b) => b.casts - a.casts);
  const once = onceImported(sources);
  const small = once.filter((one) => dirname(one.from) === dirname(one.to) && one.lines < most.smallFile);
  const running = ringsOf(edgesOf(sources, ({ runs }) => runs));
  const withTypes = ringsOf(edgesOf(sources, () => true));
  const comments = sum(sources.map((source) => source.comments));
  const named = sources.flatMap(({ path, named: names }) => names.map((one) => ({ ...one, path })));
  const oneWord = named.filter(({ words }) => words === 1);
  const withMost = sources.filter((source) => source.most > 0);
  const bannedWords = sources.flatMap(({ path, commentText }) =>
    commentText.flatMap((text) => [...text.matchAll(banned)].map(([word]) => `${path} ${word}`)),
  );
  return [
    ['source files without languages', sources.length],
    ['lines', all],
    ['files per 1,000 lines', per(sources.length * 1_000, all)],
    ['lines a file, median', percentile(lines, 0.5)],
    ['lines a file, 90th percentile', percentile(lines, 0.9)],
    ['lines a file, most', Math.max(0, ...lines)],
    ['files over 400 lines', longFiles.length, longFiles.map((one) => `${one.lines} ${one.path}`)],
    ['folders with more than 20 files', folders.length, folders.map(([folder, number]) => `${number} ${folder}`)],
    [
      'functions over 60 lines, components over 100',
      longFunctions.length,
      longFunctions.map((one) => `${one.lines} ${one.path}:${one.line} ${one.name}`),
    ],
    ['casts with "as" per 1,000 lines', per(sum(casts.map((one) => one.casts)) * 1_000, all)],
    ['casts with "as"', sum(casts.map((one) => one.casts)), casts.map((one) => `${one.casts} ${one.path}`)],
    ['any', sum(sources.map((source) => source.any)), sources.filter((one) => one.any > 0).map((one) => one.path)],
    ['import rings at run time', running.length, ringLines(running)],
    ['import rings with types', withTypes.length, ringLines(withTypes)],
    ['renderer files with one importer', once.length, onceLines(once)],
    ['of these, under 80 lines and in its folder', small.length, onceLines(small)],
    ['share of comment lines in %', per(comments * 100, all)],
    ['words in a function name, mean', per(sum(named.map(({ words }) => words)), named.length)],
    [
      'share of one-word function names in %',
      per(oneWord.length * 100, named.length),
      oneWord.map(({ path, line, name }) => `${path}:${line} ${name}`),
    ],
    [
      'names that start with "most"',
      sum(withMost.map((source) => source.most)),
      withMost.map((source) => `${source.most} ${source.path}`),
    ],
    ['banned words per 1,000 comment lines', per(bannedWords.length * 1_000, comments), bannedWords],
  ];
};

const breaks = ([name, value]) => value > (limits[name] ?? Infinity) || value < (leasts[name] ?? -Infinity);
const limitOf = (name) =>
  name in limits ? `at most ${limits[name]}` : name in leasts ? `at least ${leasts[name]}` : '';
const shown = (number) => (Number.isInteger(number) ? number.toLocaleString('en') : number.toFixed(1));

const main = (args) => {
  const files = filesBelow(root, 'src').filter((file) => !language.test(file.replaceAll('\\', '/')));
  const rows = measure(files, readSources(root, files));
  for (const [name, value] of rows) {
    const mark = breaks([name, value]) ? '  not kept' : '';
    console.log(`${name.padEnd(46)}${shown(value).padStart(9)}   ${limitOf(name)}${mark}`.trimEnd());
  }
  for (const row of rows) {
    const [name, , list = []] = row;
    if (list.length > 0 && (breaks(row) || args.includes('--all'))) console.log(`\n${name}:\n  ${list.join('\n  ')}`);
  }
  return args.includes('--check') && rows.some(breaks) ? 1 : 0;
};

process.exitCode = main(process.argv.slice(2));
