import { expect, test } from 'vitest';
import * as z from 'zod';
import { toProblemView } from '../../../src/core/base/problem.ts';
import { calls, type CallName } from '../../../src/ipc/calls.ts';
import { createCallServer } from '../../../src/ipc/serveCalls.ts';
import { createFakeRunning } from '../../helpers/hosts/createFakeRunning.ts';

const serve = createCallServer({
  ...{ handlers: createFakeRunning().handlers, requireProof: () => undefined, problemView: toProblemView },
});
const names = Object.keys(calls) as CallName[];

const callForCode = async (name: unknown, input: unknown): Promise<string> => {
  const reply = await serve(name, input);
  return reply.ok ? 'done' : reply.problem.code;
};

/** Returns the fields that a call declares, with or without a default input. */
const fieldsOf = (schema: z.ZodType): string[] => {
  const inner = schema instanceof z.ZodPrefault ? (schema.unwrap() as z.ZodType) : schema;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
};

test.each(names)('the call %s refuses invalid input', async (name) => {
  for (const input of ['nonsense', 7, true, [], [{}], () => undefined]) {
    expect(await callForCode(name, input)).toBe('INVALID_INPUT');
  }
});

const fields = names.flatMap((name) => fieldsOf(calls[name].input).map((field) => [name, field] as const));

test.each(fields)('the call %s refuses an invalid %s', async (name, field) => {
  // No field accepts a symbol.
  const input = { [field]: Symbol('wrong') };
  expect(await callForCode(name, input)).toBe('INVALID_INPUT');
  const parsed = calls[name].input.safeParse(input);
  expect(parsed.error?.issues.some(({ path }) => path[0] === field)).toBe(true);
});

test.each(fields)('the call %s refuses a text of a megabyte as %s', (name, field) => {
  const parsed = calls[name].input.safeParse({ [field]: 'x'.repeat(1_000_000) });
  expect(parsed.error?.issues.some(({ path }) => path[0] === field)).toBe(true);
});

test('a proof id that is not a string is refused with the name of its field', async () => {
  for (const proofId of [7, null, {}, 'p'.repeat(101)]) {
    const reply = await serve('app.state', {}, { proofId });
    expect(reply).toMatchObject({ ok: false, problem: { code: 'INVALID_INPUT', field: 'proofId' } });
  }
});

test('the call table declares enough fields for the tests of invalid fields', () => {
  expect(fields.length).toBeGreaterThan(names.length / 2);
});

test.each(['', 'app.unheard', '__proto__', 'constructor', 'toString', null, 7, {}])(
  'a call with the name %j is refused as unknown',
  async (name) => {
    expect(await callForCode(name, {})).toBe('UNKNOWN_CALL');
  },
);

const nestArrays = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};
test.each([100, 5_000, 50_000])('data nested %i levels deep is refused in both directions', async (levels) => {
  const deep = createCallServer({
    handlers: { ...createFakeRunning().handlers, 'approvals.list': async () => nestArrays(levels) as never },
    requireProof: () => undefined,
    problemView: toProblemView,
  });
  expect(await deep('approvals.list', {})).toMatchObject({ ok: false, problem: { code: 'UNEXPECTED_ANSWER' } });
  expect(await callForCode('service.perform', { route: 'readStanding', input: { body: nestArrays(levels) } })).toBe(
    'INVALID_INPUT',
  );
});
