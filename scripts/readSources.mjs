// Reads lines, functions, casts and imports of TypeScript sources for scripts/measureTree.mjs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const { SyntaxKind } = ts;

/** Finds comments between tokens, because a "//" inside a string is no comment. */
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

/** Classifies each line as 'blank', 'comment' (nothing but a comment) or 'code', like ESLint's max-lines-per-function. */
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

/** Returns the name of a function, or of the nearest named node around it. */
const nameOf = (node, source) => {
  for (let at = node; at !== undefined && at.kind !== SyntaxKind.SourceFile; at = at.parent) {
    if (at.name !== undefined) return at.name.getText(source);
    if (ts.isBlock(at) && at !== node) break;
  }
  return '(unnamed)';
};

/** Returns the imported module, and whether the import exists at run time. */
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

/** Resolves a relative import; undefined for a package or a file that is not TypeScript. */
const targetOf = (path, specifier) => {
  if (!specifier.startsWith('.')) return undefined;
  const target = resolve(dirname(path), specifier);
  return ['', '.ts', '.tsx'].map((end) => target + end).find((one) => /\.tsx?$/.test(one) && existsSync(one));
};

/** Counts the words of a camelCase name: "findListingId" has three. */
const countWords = (name) => name.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_/).filter(Boolean).length;

const isFunctionValue = (node) => node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

const getFunctionName = (node) => {
  if (ts.isFunctionDeclaration(node)) return node.name;
  const isNamed = ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && isFunctionValue(node.initializer);
  return isNamed ? node.name : undefined;
};

/**
 * Finds the names and lines of declared functions, and counts names that start with "most". Shorthand properties are
 * skipped, because the object of a method names its noun.
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

export const filesBelow = (root, folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

export const readSources = (root, files) =>
  files.filter((file) => /\.tsx?$/.test(file)).map((file) => readSource(root, join(root, file)));
