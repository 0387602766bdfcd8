import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseAccessLog,
  initialChecksum,
  formatAccessLines,
  type AccessLine,
} from '../../../../src/core/storage/accessLog.ts';

const id = fc.string();
const line = fc.oneof(
  fc.record({ kind: fc.constant('let' as const), id, stamp: id }),
  fc.record({ kind: fc.constant('gone' as const), id }),
  fc.record({ kind: fc.constant('held' as const), at: fc.integer() }),
);
const lines = fc
  .tuple(fc.record({ kind: fc.constant('begun' as const), known: fc.array(id) }), fc.array(line))
  .map(([first, others]): AccessLine[] => [first, ...others]);

test('access log lines are parsed exactly as they were written', () => {
  fc.assert(
    fc.property(lines, (given) => {
      const { text, sum } = formatAccessLines(initialChecksum, given);
      expect(parseAccessLog(text)).toEqual({ isDamaged: false, lines: given, sum, bytes: Buffer.byteLength(text) });
      let [one, end] = ['', initialChecksum];
      for (const each of given) {
        const next = formatAccessLines(end, [each]);
        [one, end] = [one + next.text, next.sum];
      }
      expect(one).toBe(text);
    }),
  );
});

test('in an access log with a damaged character, earlier revocations stay effective', () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.constantFrom('', 'x', '\n', '"', '0'), (given, place, other) => {
      const { text } = formatAccessLines(initialChecksum, given);
      const at = place % text.length;
      const changed = text.slice(0, at) + other + text.slice(at + 1);
      if (changed === text) return;
      const read = parseAccessLog(changed);
      expect(read.isDamaged).toBe(true);
      for (const each of read.lines) expect(each.kind).toBe('gone');
      const before = given.filter(
        (each, row) =>
          each.kind === 'gone' && formatAccessLines(initialChecksum, given.slice(0, row + 1)).text.length <= at,
      );
      expect(read.lines).toEqual(expect.arrayContaining(before));
    }),
  );
});

test('an access log that is empty or ends within a line is treated as damaged', () => {
  fc.assert(
    fc.property(lines, fc.nat(), (given, place) => {
      const { text } = formatAccessLines(initialChecksum, given);
      const cut = text.slice(0, place % text.length);
      const isWhole = cut.endsWith('\n');
      expect(parseAccessLog(cut).isDamaged).toBe(!isWhole);
    }),
  );
  expect(parseAccessLog('').isDamaged).toBe(true);
});
