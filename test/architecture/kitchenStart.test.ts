import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..', '..', 'src');

/** Returns everything that a module imports statically, except types. */
const listImports = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)'/gms)].map(
    ([, name = '']) => name,
  );

const collectImports = (path: string, known: Set<string>): Set<string> => {
  if (known.has(relative(src, path))) return known;
  known.add(relative(src, path));
  for (const name of listImports(path)) {
    if (name.startsWith('.')) collectImports(join(dirname(path), name), known);
    else known.add(name);
  }
  return known;
};

test.each(['kitchen/index.ts', 'kitchen/worker.ts'])(
  '%s loads only Node modules and the photo process’s own modules',
  (entry) => {
    const all = [...collectImports(join(src, entry), new Set())];
    expect(all).toContain('isolated/releasableBuffer.ts');
    expect(all.filter((name) => !/^(node:|kitchen\/|isolated\/|photoContract\/)/.test(name))).toEqual([]);
  },
);

test('the photo process does not load the channel to its parent at its start', () => {
  expect([...collectImports(join(src, 'kitchen/index.ts'), new Set())]).not.toContain('isolated/childChannel.ts');
});
