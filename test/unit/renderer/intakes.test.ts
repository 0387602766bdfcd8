import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createIntakeStore, type Intake } from '../../../src/renderer/src/api/intakes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createFolders = (count: number): Intake[] =>
  Array.from({ length: count }, (_, at) => ({ intakeId: `${at}`, name: `thing ${at}`, total: 5 }));

const createPhoto = (name: string): File => new File([], name);

const startIntakes = () => {
  const freed: string[] = [];
  const made: string[] = [];
  const make = ({ name }: File): string => {
    made.push(name);
    return `blob:${name}`;
  };
  return { intakes: createIntakeStore({ make, free: (url) => freed.push(url) }), made, freed };
};

/** Records the number of rows at each notification of changed rows. */
const recordRowCounts = ({ rows, onRows }: ReturnType<typeof createIntakeStore>): number[] => {
  const counts: number[] = [];
  onRows(() => counts.push(rows().length));
  return counts;
};

test('the rows of many folders are added in small batches', () => {
  const { intakes } = startIntakes();
  const rowCounts = recordRowCounts(intakes);
  intakes.add(createFolders(25));
  vi.runAllTimers();
  expect(rowCounts).toEqual([10, 20, 25]);
});

test('a later drop of photos is listed above an earlier drop', () => {
  const { intakes } = startIntakes();
  const [earlier, later] = [createFolders(2), [{ intakeId: 'late', name: 'late', total: 1 }]];
  intakes.add(earlier);
  intakes.add(later);
  vi.runAllTimers();
  expect(intakes.rows().map(({ intakeId }) => intakeId)).toEqual(['late', '0', '1']);
  intakes.drop(earlier);
  vi.runAllTimers();
  expect(intakes.rows()).toEqual(later);
});

test('rapid upload progress updates only its own row, and only once', () => {
  const { intakes } = startIntakes();
  intakes.add(createFolders(2));
  vi.runAllTimers();
  const [rows, rowCounts] = [intakes.rows(), recordRowCounts(intakes)];
  const drawn = { first: [] as number[], second: 0 };
  intakes.onRow('0', () => drawn.first.push(intakes.progress('0').sent));
  intakes.onRow('1', () => (drawn.second += 1));
  for (let sent = 0; sent < 5; sent += 1) intakes.countSent('0', createPhoto('a'));
  vi.runAllTimers();
  expect(drawn).toEqual({ first: [5], second: 0 });
  expect(rowCounts).toEqual([]);
  expect(intakes.rows()).toBe(rows);
});

test('the first sent photo of a row becomes its thumbnail', () => {
  const { intakes, made, freed } = startIntakes();
  const rows = createFolders(15);
  intakes.add(rows);
  vi.runAllTimers();
  expect(made).toEqual([]);
  for (const { intakeId } of rows) intakes.countSent(intakeId, createPhoto(intakeId));
  intakes.countSent('3', createPhoto('3'));
  expect(made).toHaveLength(15);
  expect(intakes.progress('3')).toEqual({ sent: 2, thumbUrl: 'blob:3' });
  intakes.drop(rows);
  vi.runOnlyPendingTimers();
  expect(freed).toHaveLength(10);
  vi.runAllTimers();
  expect(freed).toHaveLength(15);
  expect(intakes.progress('3')).toEqual({ sent: 0, thumbUrl: null });
});
