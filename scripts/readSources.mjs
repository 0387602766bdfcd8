// Reads TypeScript sources and says what is in each: lines, functions, casts, imports. For scripts/measureTree.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const { SyntaxKind } = ts;

/** The comments of a file, found between its tokens, so that a "//" in a text is none. */
const commentsOf = (source) => {
  const { text } = source;
  const comments = new Map();
  const collect = (node) => {
    if (node.kind === SyntaxKind.JsxText) return;
    const children = node.getChildren(source);
    if (children.length > 0 && !ts.isJSDoc(node)) return children.forEach(collect);
    const before = ts.getLeadingCommentRanges(text, node.pos) ?? [];
    const after = node.parent.kind === SyntaxKind.JsxExpression ? [] : ts.getTrailingCommentRanges(text, node.end);
    for (const comment of [...before, ...(after ?? [])]) comments.set(comment.pos, comment);
  };
  collect(source);
  return [...comments.values()];
};

/** What each line is: 'blank', 'comment' (nothing else on it) or 'code', as ESLint's max-lines-per-function has it. */
const kindsOf = (source) => {
  const lines = source.text.split(/\r?\n/);
  const kinds = lines.map((line) => (line.trim() === '' ? 'blank' : 'code'));
  for (const { pos, end } of commentsOf(source)) {
    const from = source.getLineAndCharacterOfPosition(pos);
    const to = source.getLineAndCharacterOfPosition(end);
    const first = lines[from.line].slice(0, from.character).trim() === '' ? from.line : from.line + 1;
    const last = lines[to.line].slice(to.character).trim() === '' ? to.line : to.line - 1;
    for (let line = first; line <= last; line += 1) if (kinds[line] === 'code') kinds[line] = 'comment';
  }
  return source.text.endsWith('\n') ? kinds.slice(0, -1) : kinds;
};

/** The name under which a function is known: its own, or that of what it is given to. */
const nameOf = (node, source) => {
  for (let at = node; at !== undefined && at.kind !== SyntaxKind.SourceFile; at = at.parent) {
    if (at.name !== undefined) return at.name.getText(source);
    if (ts.isBlock(at) && at !== node) break;
  }
  return '(unnamed)';
};

/** The modules that a node imports, with whether anything of it is left when the code runs. */
const importOf = (node) => {
  const text = (literal) => (literal !== undefined && ts.isStringLiteralLike(literal) ? literal.text : undefined);
  if (ts.isImportDeclaration(node)) {
    return { specifier: text(node.moduleSpecifier), runs: node.importClause?.isTypeOnly !== true };
  }
  if (ts.isExportDeclaration(node)) return { specifier: text(node.moduleSpecifier), runs: !node.isTypeOnly };
  if (ts.isImportTypeNode(node)) return { specifier: text(node.argument.literal), runs: false };
  if (ts.isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
    return { specifier: text(node.arguments[0]), runs: true };
  }
  return { specifier: undefined, runs: false };
};

const isCast = (node) =>
  ts.isTypeAssertionExpression(node) ||
  (ts.isAsExpression(node) && !(ts.isTypeReferenceNode(node.type) && node.type.getText() === 'const'));

/** Where a relative import leads, or undefined for a package or a file that is no source. */
const targetOf = (path, specifier) => {
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(dirname(path), specifier);
  return ['', '.ts', '.tsx'].map((end) => target + end).find((one) => /\.tsx?$/.test(one) && existsSync(one));
};

/** The words of a name in camelCase: "readListingId" has three. */
const countWords = (name) => name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/).filter(Boolean).length;

const isFunctionValue = (node) => node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** The identifier that a declaration gives to a function; undefined for any other node. */
const getFunctionName = (node) => {
  if (ts.isFunctionDeclaration(node)) return node.name;
  const isNamed = ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isFunctionValue(node.initializer);
  return isNamed ? node.name : undefined;
};

/**
 * Finds the names that a file declares: of its functions with their lines, and how many start with "most". A function
 * that is a shorthand property of an object is a method, whose object names the noun, and does not count.
 */
const readNames = (source) => {
  const [functions, methods] = [[], new Set()];
  let most = 0;
  const visit = (node) => {
    if (ts.isShorthandPropertyAssignment(node)) methods.add(node.name.text);
    const name = getFunctionName(node);
    if (name !== undefined) {
      const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1;
      functions.push({ name: name.text, line, words: countWords(name.text) });
    }
    if (ts.isIdentifier(node) && /^most[A-Z]/.test(node.text)) most += 1;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { named: functions.filter(({ name }) => !methods.has(name)), most };
};

const readSource = (root, path) => {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const kinds = kindsOf(source);
  const facts = { functions: [], imports: [], casts: 0, any: 0 };
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const from = lineAt(node.getStart(source));
      const lines = kinds.slice(from, lineAt(node.end) + 1).filter((kind) => kind === 'code').length;
      const name = nameOf(node, source);
      facts.functions.push({ name, line: from + 1, lines, component: /\.tsx$/.test(path) && /^[A-Z]/.test(name) });
    }
    if (isCast(node)) facts.casts += 1;
    if (node.kind === SyntaxKind.AnyKeyword) facts.any += 1;
    const { specifier, runs } = importOf(node);
    const target = specifier === undefined ? undefined : targetOf(path, specifier);
    if (target !== undefined) facts.imports.push({ target: relative(root, target), runs });
    ts.forEachChild(node, visit);
  };
  visit(source);
  const comments = kinds.filter((kind) => kind === 'comment').length;
  const commentText = commentsOf(source).map(({ pos, end }) => source.text.slice(pos, end));
  return { path: relative(root, path), lines: kinds.length, comments, commentText, ...readNames(source), ...facts };
};

/** Every file below a folder, by its path from the project. */
export const filesBelow = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** The facts of each source among these files. */
export const readSources = (root, files) =>
  files.filter((file) => /\.tsx?$/.test(file)).map((file) => readSource(root, join(root, file)));
