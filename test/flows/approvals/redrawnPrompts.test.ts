import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { RawInput, RouteName } from '../../../src/contract/index.ts';
import type { Asker } from '../../../src/core/base/request.ts';
import type { ApprovalView } from '../../../src/core/storage/tables/approvalRecord.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { countRequests, readServiceKey } from '../../helpers/approvals/decisions.ts';
import { setUpSelling } from '../../helpers/practice/channels.ts';
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
const performBy = (who: Asker, route: RouteName, input: RawInput) =>
  world.companion().perform({ by: who, route, input });
const askByAssistant = async (route: RouteName, input: RawInput): Promise<ApprovalView> => {
  const asked = await performBy(by, route, input);
  if (asked.state !== 'pending') throw new Error(`${route} did not ask.`);
  return getApprovals().readView(asked.approvalId);
};
/** Performs a request as the person and approves it. */
const performAsPerson = async (route: RouteName, input: RawInput): Promise<void> => {
  const done = await performBy({ kind: 'person' }, route, input);
  if (done.state === 'pending') await world.approve(getApprovals().readView(done.approvalId));
};
const readState = (approvalId: string): string | undefined =>
  getApprovals()
    .listOfAsker(by.kind === 'assistant' ? by.assistantId : '')
    .find((row) => row.approval_id === approvalId)?.state;
const policies = z.object({
  policies: z.array(z.looseObject({ policyId: z.string(), kind: z.string().optional(), name: z.string() })),
});
const templates = z.object({ templates: z.array(z.looseObject({ templateId: z.string() })) });

test('a prompt about a changed template is replaced at the same position in the list', async () => {
  await performAsPerson('createTemplate', { body: { name: 'Books' } });
  const listed = await performBy({ kind: 'person' }, 'listTemplates', {});
  const [template] = templates.parse(listed.state === 'done' ? listed.answer : null).templates;
  const params = { templateId: template?.templateId ?? '' };
  const shown = await askByAssistant('updateTemplate', { params, body: { name: 'Novels' } });
  expect(shown.prompt.changes).toMatchObject([{ key: 'name', before: 'Books', after: 'Novels' }]);

  await performAsPerson('updateTemplate', { params, body: { name: 'Magazines' } });
  await waitUntil(() => readState(shown.approvalId) === 'superseded', 'the new prompt');
  const [now, ...others] = getApprovals().listPending();
  expect(others).toEqual([]);
  expect(now).toMatchObject({
    placeSeq: shown.placeSeq,
    prompt: { mainFact: 'Name: “Magazines” → “Novels”', target: { title: 'Magazines' } },
  });
});

test('a prompt that names a policy is not replaced when another template changes', async () => {
  await performAsPerson('bootstrapPolicies', { body: { marketplaceId: 'MKT_US' } });
  const answer = await performBy({ kind: 'person' }, 'listPolicies', { query: { marketplaceId: 'MKT_US' } });
  const shipping = policies
    .parse(answer.state === 'done' ? answer.answer : null)
    .policies.find(({ kind }) => kind === 'fulfillment');
  await performAsPerson('createTemplate', { body: { name: 'Books' } });
  const listed = await performBy({ kind: 'person' }, 'listTemplates', {});
  const [template] = templates.parse(listed.state === 'done' ? listed.answer : null).templates;
  const body = { name: 'Figurines', marketplaceId: 'MKT_US', fulfillmentPolicyId: shipping?.policyId };
  const shown = await askByAssistant('createTemplate', { body });
  const policyFact = shown.prompt.facts.find(({ key }) => key === 'fulfillmentPolicyId');
  expect(policyFact?.value).toContain(shipping?.name);
  const params = { templateId: template?.templateId ?? '' };
  const other = await askByAssistant('updateTemplate', { params, body: { name: 'Novels' } });

  await performAsPerson('updateTemplate', { params, body: { name: 'Magazines' } });
  await waitUntil(() => readState(other.approvalId) === 'superseded', 'the new prompt of the changed template');
  expect(readState(shown.approvalId)).toBe('pending');
});

test('a prompt to disconnect a channel ends when the person disconnects the channel', async () => {
  const { connectionId } = await setUpSelling(world.practice, await readServiceKey(world));
  const input = { params: { channelId: 'corner', connectionId } };
  const shown = await askByAssistant('deleteConnection', input);
  await performAsPerson('deleteConnection', input);
  await waitUntil(() => readState(shown.approvalId) !== 'pending', 'the end of the prompt');
  expect(getApprovals().listPending()).toEqual([]);
});

test('after the account is reconnected, its pending prompts need a new approval', async () => {
  const listingId = await world.practice.written(await readServiceKey(world));
  const shown = await askByAssistant('publishListing', { params: { listingId } });
  await world.companion().connect.forget();
  expect(() => getApprovals().listPending()).toThrow('Connect your account first.');
  await expect(world.pressYes(shown.approvalId, shown.digest)).rejects.toThrow();
  expect(await countRequests(world, 'publishListing')).toBe(0);
  await world.companion().connect.practice();
  expect(getApprovals().listPending()).toMatchObject([{ approvalId: shown.approvalId, state: 'pending' }]);
  // The prompt is bound to the old key, so the new key needs another approval.
  const answer = await world.pressYes(shown.approvalId, shown.digest);
  expect(answer).toMatchObject({ state: 'pending', placeSeq: shown.placeSeq });
  expect(answer.approvalId).not.toBe(shown.approvalId);
  expect(await countRequests(world, 'publishListing')).toBe(0);
});
