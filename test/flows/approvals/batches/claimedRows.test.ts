import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BatchView } from '../../../../src/core/approvals/batches.ts';
import type { InputOf, RouteName } from '../../../../src/contract/index.ts';
import {
  acts,
  cells,
  fakeServiceAnswers,
  createListingFor,
  type Act,
  type Answer,
  type Reading,
} from '../../../helpers/approvals/claimedActs.ts';
import { startGatewayWorld, type Gateway } from '../../../helpers/hosts/gatewayWorld.ts';
import type { World } from '../../../helpers/world.ts';

let world: World;
let gateway: Gateway;
beforeAll(async () => {
  ({ world, gateway } = await startGatewayWorld({ person: { plan: 'Scale' } }));
});
afterAll(async () => {
  await world.close();
  gateway.close();
});

const answers: Answer[] = ['done', 'refused', 'lost'];
const readings: Reading[] = ['done', 'not done', 'unreadable'];
const allCells = answers.flatMap((answer) => readings.map((reading): [Answer, Reading] => [answer, reading]));

const getBatches = () => world.companion().batches;
const readRows = (batchId: string): BatchView['rows'] => getBatches().readBatch(batchId).rows;

/** Requests a batch with one row for each combination of answer and listing state. */
const requestBatch = async (act: Act): Promise<BatchView> => {
  const ids: string[] = [];
  while (ids.length < allCells.length) ids.push(await createListingFor(world, act));
  const lies = await Promise.all(
    allCells.map(async ([answer, reading], at) =>
      fakeServiceAnswers(act, await world.listing(ids[at] ?? ''), answer, reading),
    ),
  );
  gateway.replyBy((call) => lies.map((lie) => lie(call)).find((reply) => reply !== null) ?? null);
  const requests = ids.map((listingId) => ({
    route: act.route,
    input: { params: { listingId }, body: act.body ?? {} } as InputOf<RouteName>,
  }));
  const [batch] = await getBatches().requestBatches({ kind: 'person' }, requests);
  return batch ?? expect.fail('No batch.');
};

/** Waits until the batch is over and a minute has passed, and returns its rows. */
const waitForRows = async ({ batchId }: BatchView): Promise<BatchView['rows']> => {
  const from = world.clock.now();
  const isOver = (): boolean => getBatches().readBatch(batchId).state === 'over' && world.clock.now() - from > 60_000;
  return world.until(() => (isOver() ? readRows(batchId) : null), 'the end of the readings');
};

describe.each(['publish', 'revise', 'end'])('rows of a batch with the act “%s”', (name) => {
  const act = acts[name] ?? expect.fail(`No act ${name}.`);
  let rows: BatchView['rows'] = [];
  beforeAll(async () => {
    const batch = await requestBatch(act);
    const shown = batch.rows.flatMap(({ approval }) => approval ?? []);
    await world.pressYesToRows(batch.batchId, shown);
    rows = await waitForRows(batch);
    gateway.replyBy(() => null);
    getBatches().closeBatch(batch.batchId, []);
  });

  test.each(allCells)(
    'a batch row has the correct outcome for the service’s answer “%s” and the listing state “%s”',
    (answer, reading) => {
      const at = allCells.findIndex((cell) => cell[0] === answer && cell[1] === reading);
      const [state, code, sentence] = cells[answer][reading];
      expect(rows[at]).toMatchObject({
        problem: null,
        approval: { state, outcome: { code, sentence: sentence ?? act.done, url: null } },
      });
    },
  );
});
