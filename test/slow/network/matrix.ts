import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RawInput } from '../../../src/contract/index.ts';
import type { Case } from './cases.ts';
import { sampledBy, drawSample } from '../../helpers/sample.ts';
import { expected, type Expected } from './expected.ts';
import { faultNames, faults, unheardOf, type Fault, type FaultName } from './faults.ts';
import { startScene, type Seen } from './scene.ts';

type Scene = Awaited<ReturnType<typeof startScene>>;

/** Returns the parts of a result that are compared. */
const toFacts = ({ arrivals, effects, problem, approval, connection, offline }: Seen): Expected => {
  const { code, message, retryAfterS } = problem ?? { code: '', message: '', retryAfterS: undefined };
  const refusal = problem && { code, sentence: message, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
  const outcome = approval?.outcome?.code
    ? {
        code: approval.outcome.code,
        sentence: approval.outcome.sentence,
        ...(retryAfterS === undefined ? {} : { retryAfterS }),
      }
    : null;
  return {
    arrivals,
    effects,
    says: outcome ?? refusal,
    approval: approval ? (approval.state as Expected['approval']) : null,
    connection: connection as Expected['connection'],
    offline,
  };
};

/**
 * Adjusts the expected result for requests that the companion makes on its own: while the service is unreachable, it reads
 * the route list every half minute.
 */
const adjustExpected = ({ route, mark }: Case, { runs }: Fault, right: Expected, seen: Expected): Expected => ({
  ...right,
  ...(mark && { effects: Math.min(1, right.effects) }),
  // The companion forgets a revoked key.
  ...(route === 'revokeCurrentKey' && right.approval === 'done' && { connection: 'none' }),
  // The same route reads whether a notice was confirmed.
  ...(mark === 'fee_confirmed' && { arrivals: Math.max(right.arrivals, seen.arrivals) }),
  ...(runs && { offline: seen.offline }),
  ...(route === 'readRoutes' && {
    arrivals: Math.max(right.arrivals, seen.arrivals),
    effects: Math.max(right.effects, seen.effects),
  }),
});

/** Returns everything of an error that could reach a person, an assistant or a log. */
const collectText = ({ problem, approval }: Seen): string =>
  JSON.stringify([approval, problem && { ...problem }, problem?.message, problem?.stack, String(problem?.cause)]);

const findKept = (answer: unknown): unknown => {
  const one: unknown = Array.isArray(answer) ? answer[0] : answer;
  return one !== null && typeof one === 'object' && 'unheardOf' in one ? one.unheardOf : undefined;
};

const checkCall = async (
  scene: Scene,
  one: Case,
  input: RawInput,
  faultName: FaultName,
  lasting: boolean,
): Promise<Seen> => {
  const fault: Fault = faults[faultName];
  const key = await scene.key();
  const seen = await scene.meet(one, input, fault, lasting);
  const right = expected(one.route, one.asked, faultName, lasting);
  const what = `${one.name}, ${faultName}, ${lasting ? 'every time' : 'once'}`;
  expect(toFacts(seen), what).toEqual(adjustExpected(one, fault, right, toFacts(seen)));
  expect(collectText(seen), what).not.toContain(key);
  expect(collectText(seen), what).not.toContain('<html');
  // A relist returns the listing that was read afterwards, without the response's own fields.
  const keepsFields = seen.connection !== 'none' && one.route !== 'relistListing';
  if (faultName === 'unknown fields' && keepsFields) expect(findKept(seen.answer), what).toEqual(unheardOf);
  return seen;
};

/** The number of faults per case in a sampled run. */
const sampledFaults = 3;

/** Defines one test per case that meets every fault, or a sample of the faults, in one world. */
export const matrix = (title: string, cases: Case[]): void => {
  describe(`${title} (${sampledBy})`, () => {
    let scene: Scene;
    beforeAll(async () => {
      scene = await startScene();
      await scene.quiet();
    });
    afterAll(() => scene.close());

    test.each(cases.map((one) => [one.name, one] as const))(
      '%s ends as expected after each fault',
      async (_name, one) => {
        // An input without an effect serves the next fault, too.
        let input: RawInput | null = null;
        for (const name of drawSample(one.name, faultNames, sampledFaults)) {
          for (const lasting of [true, false]) {
            if (!lasting && !expectsAnother(one, name)) continue;
            input ??= await scene.ready(one);
            const seen = await checkCall(scene, one, input, name, lasting);
            if (one.fresh || seen.effects > 0 || seen.approval || seen.connection !== 'connected') input = null;
          }
        }
      },
    );
  });
};

/** Returns whether a fault that ends has another result than a lasting fault. */
const expectsAnother = (one: Case, name: FaultName): boolean =>
  JSON.stringify(expected(one.route, one.asked, name, true)) !==
  JSON.stringify(expected(one.route, one.asked, name, false));
