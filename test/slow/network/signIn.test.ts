import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { Problem } from '../../../src/core/base/problem.ts';
import { startWorld, type World } from '../../helpers/world.ts';
import { faultNames, faults, type Fault, type FaultName } from './faults.ts';

const email = 'sign-in@practice.example';
let world: World;
beforeAll(async () => {
  world = await startWorld({ person: null });
});
afterAll(() => world.close());

const counted = z.record(z.string(), z.object({ calls: z.int(), effects: z.int() }));
const left = z.array(z.object({ times: z.int() }));

/** Faults that end the call at once; slow faults are the same for every route. */
const quick = faultNames.filter((name) => {
  const { order, runs }: Fault = faults[name];
  return order !== null && runs === undefined;
});

/** Makes every attempt of a sign-in step meet a fault; returns the number of requests and the error. */
const meetFault = async (path: string, route: string, name: FaultName, step: () => Promise<unknown>) => {
  const fault: Fault = faults[name];
  const countCalls = async () => counted.parse(await world.practice.control('GET', '/calls'))[route]?.calls ?? 0;
  const before = await countCalls();
  await world.practice.fault({ method: 'POST', path, times: 10, ...fault.order });
  const problem = await step().then(
    () => null,
    (error: unknown) => error,
  );
  const [order] = left.parse(await world.practice.control('GET', '/faults'));
  await world.practice.control('DELETE', '/faults');
  const sent = (await countCalls()) - before + (fault.works ? 0 : 10 - (order?.times ?? 10));
  return { sent, problem, fault };
};

const checkResult = ({ sent, problem, fault }: Awaited<ReturnType<typeof meetFault>>): void => {
  // Nothing is retried, because each attempt can send an e-mail or use up the code.
  expect(sent).toBe(1);
  if (fault.result === 'answered') return expect(problem).toBe(null);
  const codes = { unclear: 'NO_ANSWER', forbidden: 'NOT_FOR_ASSISTANTS' } as Partial<Record<string, string>>;
  if (!(problem instanceof Problem)) return expect.unreachable('a Problem');
  expect(problem.code).toBe(fault.says?.code ?? codes[fault.result]);
  expect(problem.message).toMatch(/^[A-Z].*\.$/);
  expect(`${problem.message} ${problem.stack}`).not.toContain('<html');
};

test.each(quick)('a request for a sign-in code is sent once despite the fault “%s”', async (name) => {
  await world.practice.advance(3_600_000);
  checkResult(await meetFault('/agent/auth/start', 'startSignIn', name, () => world.companion().connect.start(email)));
});

test.each(quick)('a submitted sign-in code is sent once despite the fault “%s”', async (name) => {
  await world.practice.advance(3_600_000);
  const { challengeId } = await world.companion().connect.start(email);
  const mails = z
    .array(z.object({ code: z.string().optional() }))
    .parse(await world.practice.control('GET', `/outbox?email=${email}`));
  const code = mails.find((mail) => mail.code !== undefined)?.code ?? '';
  const verifyCode = () => world.companion().connect.verify({ challengeId, email, code });
  const met = await meetFault('/agent/auth/verify', 'verifySignIn', name, verifyCode);
  checkResult(met);
  const { connection } = world.companion().state(null);
  expect(connection).toBe(met.fault.result === 'answered' ? 'connected' : 'none');
  if (connection === 'connected') await world.companion().connect.forget();
});
