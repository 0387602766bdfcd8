import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatShellLine } from '../../../../src/host/clients/startCommand.ts';

const word = fc.string({ unit: fc.constantFrom(...`ab/\\ '"$\`%!&;|<>()*?~#-=é`) });

test('a POSIX shell line is parsed back into exactly the given words', () => {
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const out = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${formatShellLine('posix', words)}`], {
        encoding: 'utf8',
      });
      expect(out.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['mcp', 'mcp'],
  [String.raw`C:\Tools\node.exe`, String.raw`C:\Tools\node.exe`],
  // npm starts commands through PowerShell scripts, which drop a bare "--".
  ['--', '"--"'],
  ['--identity', '--identity'],
  [String.raw`C:\Program Files\node.exe`, String.raw`"C:\Program Files\node.exe"`],
  [String.raw`C:\Robin's data`, String.raw`"C:\Robin's data"`],
  ['C:\\my data\\', '"C:\\my data\\\\"'],
  [String.raw`C:\$HOME`, String.raw`'C:\$HOME'`],
  [String.raw`C:\100%PATH%`, String.raw`'C:\100%PATH%'`],
  [String.raw`C:\Robin's $HOME`, String.raw`'C:\Robin''s $HOME'`],
  ['', '""'],
])('PowerShell quoting turns %j into %s', (given, written) => {
  expect(formatShellLine('powershell', [given])).toBe(written);
});
