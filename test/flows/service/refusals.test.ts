import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishFixes, findPublishFix, publishRefusals } from '../../../src/contract/index.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ person: { plan: 'Scale' } });
});
afterAll(() => world.close());

const createGeneratedListing = async () =>
  world.practice.written((await world.secrets.get('agent-key practice')) ?? '');
const askAndApprove = async (listingId: string) => {
  await world.perform('publishListing', { params: { listingId } });
  return world.yes();
};

describe('publish refusals', () => {
  test.each(publishRefusals)('%s is reported with a fix, and the publish can be requested again', async (code) => {
    const listingId = await createGeneratedListing();
    await world.practice.fault({
      method: 'POST',
      path: '/market/publish/{listingId}',
      times: 1,
      status: 400,
      code,
      error: `Refused for ${code}.`,
    });
    const refused = await askAndApprove(listingId);
    expect(refused).toMatchObject({ state: 'failed', outcome: { code, sentence: `Refused for ${code}.` } });
    const fix = findPublishFix(refused.outcome?.code);
    expect(fix?.sentence).toMatch(/^[A-Z].*\.$/);
    expect(fix?.label).toMatch(/^\S/);
    expect((await askAndApprove(listingId)).state).toBe('done');
  });

  test('exactly the sixteen publish refusals have a fix', () => {
    expect(Object.keys(publishFixes)).toEqual([...publishRefusals]);
    expect(findPublishFix('WRONG_STATE')).toBeNull();
    expect(findPublishFix('__proto__')).toBeNull();
  });
});

test('the prompt for a publish shows the policies that the person chose', async () => {
  const listingId = await createGeneratedListing();
  const policies = await world.perform('listPolicies', { query: { marketplaceId: 'MKT_US' } });
  const text = JSON.stringify(policies.state === 'done' ? policies.answer : {});
  const [fulfillmentPolicyId = ''] = /"policyId":"([^"]+)"/.exec(text)?.slice(1) ?? [];
  expect(fulfillmentPolicyId).not.toBe('');
  await world.perform('publishListing', { params: { listingId }, body: { fulfillmentPolicyId } });
  const [asked] = world.companion().approvals.listPending();
  expect(asked?.prompt.facts.find(({ key }) => key === 'fulfillmentPolicyId')).toMatchObject({
    namespace: 'request',
    value: expect.stringContaining('“Flat postage, United States”') as string,
  });

  expect((await world.pressYes(asked?.approvalId ?? '', asked?.digest ?? '')).state).toBe('done');
});
