import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { getRouteByName, type RawInput, type RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { readServiceKey, createWrittenListing } from '../../helpers/approvals/decisions.ts';
import { waitUntil } from '../../helpers/testClock.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  by = pairAsker(world, 'Slow');
});
afterEach(() => world.close());

const getApprovals = () => world.companion().approvals;
const listPending = () => getApprovals().listPending();
const performBy = (who: Asker, route: RouteName, input: RawInput) =>
  world.companion().perform({ by: who, route, input });
const requestApproval = async (route: RouteName, input: RawInput, who: Asker = by): Promise<ApprovalView> => {
  const asked = await performBy(who, route, input);
  if (asked.state !== 'pending') throw new Error(`${route} did not ask.`);
  return getApprovals().readView(asked.approvalId);
};
const person: Asker = { kind: 'person' };
/** Performs a request as the person and approves it. */
const performAsPerson = async (route: RouteName, input: RawInput): Promise<unknown> => {
  const done = await performBy(person, route, input);
  return done.state === 'pending' ? world.approve(getApprovals().readView(done.approvalId)) : done;
};
const templates = z.object({ templates: z.array(z.looseObject({ templateId: z.string() })) });
const createTemplate = async (): Promise<string> => {
  await performAsPerson('createTemplate', { body: { name: 'Books' } });
  const listed = await performBy(person, 'listTemplates', {});
  return templates.parse(listed.state === 'done' ? listed.answer : null).templates[0]?.templateId ?? '';
};
const createLiveListing = async (): Promise<string> => world.practice.live(await readServiceKey(world));
/** Sets the service’s response to every later read of a path. */
const setAnswer = (path: string, body: unknown, more: Record<string, unknown> = {}) =>
  world.practice.fault({ method: 'GET', path, times: 100, body, ...more });

type Cause = {
  /** What makes the request impossible. */
  name: string;
  route: RouteName;
  input: () => Promise<RawInput>;
  /** Makes the request impossible; if that happens at the service, `read` discovers it. */
  spoil: (input: RawInput) => Promise<unknown>;
  read?: (input: RawInput) => Promise<unknown>;
  code: string;
};

const createReviewedInput = async () => ({ params: { listingId: await createWrittenListing(world) }, body: {} });
const createLiveInput = async () => ({ params: { listingId: await createLiveListing() }, body: {} });
const createRevisionInput = async () => ({ params: { listingId: await createLiveListing() }, body: { price: 1_000 } });
const createTemplateInput = async () => ({ params: { templateId: await createTemplate() } });
const hideListing = () => setAnswer('/listings/{listingId}', { error: 'Not found.' }, { status: 404 });
const readListingAsOther = (input: RawInput) =>
  performBy(pairAsker(world, 'Reader'), 'readListing', { params: input.params ?? {} }).catch(() => null);
const disconnectMarket = () => performAsPerson('disconnectMarket', {});
const setDisconnected = () => setAnswer('/market/status', { connected: false });
const readStatus = () => performBy(pairAsker(world, 'Reader'), 'readMarketStatus', {});
const readTemplates = () => performBy(pairAsker(world, 'Reader'), 'listTemplates', {});

const causes: Cause[] = [
  ...(['publishListing', 'deleteListing'] as const).map((route): Cause => ({
    name: 'another assistant finds the listing deleted',
    route,
    input: createReviewedInput,
    spoil: hideListing,
    read: readListingAsOther,
    code: 'NOT_FOUND',
  })),
  ...(['reviseListing', 'endListing'] as const).map((route): Cause => ({
    name: 'another assistant finds the listing deleted',
    route,
    input: createRevisionInput,
    spoil: hideListing,
    read: readListingAsOther,
    code: 'NOT_FOUND',
  })),
  {
    name: 'the person publishes the listing',
    route: 'publishListing',
    input: createReviewedInput,
    spoil: (input) => performAsPerson('publishListing', input),
    code: 'WRONG_STATE',
  },
  {
    name: 'the person ends the listing',
    route: 'reviseListing',
    input: createRevisionInput,
    spoil: ({ params }) => performAsPerson('endListing', { params: params ?? {}, body: {} }),
    code: 'WRONG_STATE',
  },
  {
    name: 'the person ends the listing',
    route: 'endListing',
    input: createLiveInput,
    spoil: (input) => performAsPerson('endListing', input),
    code: 'WRONG_STATE',
  },
  {
    name: 'the person deletes the listing',
    route: 'publishListing',
    input: createReviewedInput,
    spoil: (input) => performAsPerson('deleteListing', input),
    code: 'NOT_FOUND',
  },
  ...(['updateTemplate', 'deleteTemplate'] as const).flatMap((route): Cause[] => [
    {
      name: 'the person deletes the template',
      route,
      input: async () => ({
        ...(await createTemplateInput()),
        ...(route === 'updateTemplate' ? { body: { name: 'Toys' } } : {}),
      }),
      spoil: ({ params }) => performAsPerson('deleteTemplate', { params: params ?? {} }),
      code: 'NOT_FOUND',
    },
    {
      name: 'another assistant finds the template deleted',
      route,
      input: async () => ({
        ...(await createTemplateInput()),
        ...(route === 'updateTemplate' ? { body: { name: 'Toys' } } : {}),
      }),
      spoil: () => setAnswer(getRouteByName('listTemplates').path, { templates: [] }),
      read: readTemplates,
      code: 'NOT_FOUND',
    },
  ]),
  ...(['publishListing', 'disconnectMarket'] as const).flatMap((route): Cause[] => [
    {
      name: 'the person disconnects the marketplace',
      route,
      input: route === 'publishListing' ? createReviewedInput : async () => ({}),
      spoil: disconnectMarket,
      code: 'WRONG_STATE',
    },
    {
      name: 'another assistant finds the marketplace disconnected',
      route,
      input: route === 'publishListing' ? createReviewedInput : async () => ({}),
      spoil: setDisconnected,
      read: readStatus,
      code: 'WRONG_STATE',
    },
  ]),
  {
    name: 'the person disconnects the marketplace',
    route: 'reviseListing',
    input: createRevisionInput,
    spoil: disconnectMarket,
    code: 'WRONG_STATE',
  },
];

describe('prompts whose request becomes impossible', () => {
  test.each(causes)('the prompt of $route ends at once when $name', async ({ route, input, spoil, read, code }) => {
    const asked = await input();
    const shown = await requestApproval(route, asked);
    const readRow = () => world.companion().approvals.listOfAsker(by.kind === 'assistant' ? by.assistantId : '')[0];
    await spoil(asked);
    if (read) {
      // An earlier read would get the cached response.
      world.clock.advance(60_000);
      expect(readRow()?.state).toBe('pending');
    }
    const learntAt = world.clock.now();
    await read?.(asked);
    const end = await waitUntil(() => (readRow()?.state === 'pending' ? null : readRow()), 'the end of the prompt');
    // The clock did not run, so no later read by the companion ended the prompt.
    expect(world.clock.now()).toBe(learntAt);
    expect(end?.outcome).toMatchObject({ code });
    expect(end?.outcome?.sentence).toMatch(/^[A-Z].{10,}\.$/);
    expect(listPending().filter(({ approvalId }) => approvalId === shown.approvalId)).toEqual([]);
  });
});
