import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { Topic } from '../../../src/core/base/ports.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const accounts = z.looseObject({ accounts: z.array(z.looseObject({ marketAccountId: z.string() })) });

const answerOf = async (asked: ReturnType<World['perform']>): Promise<unknown> => {
  const outcome = await asked;
  return outcome.state === 'done' ? outcome.answer : null;
};

test('the window reloads the selling setup after a yes changed it, and not for the prompt', async () => {
  world = await startWorld();
  const told: Topic[] = [];
  world.companion().onChanged((topic) => told.push(topic));
  await world.perform('updateSellerDefaults', { body: { packageWeightGrams: 700 } });
  expect(told).not.toContain('setup');
  await world.yes();
  await world.until(() => told.includes('setup'), 'the word about the setup');
  expect(await answerOf(world.perform('readSellerDefaults', {}))).toMatchObject({ packageWeightGrams: 700 });
});

test('a template field sent as null is removed, and the other fields stay', async () => {
  world = await startWorld();
  await world.perform('createTemplate', { body: { name: 'Shoes', packageWeightGrams: 900, format: 'AUCTION' } });
  await world.yes();
  const templates = z.looseObject({ templates: z.array(z.looseObject({ templateId: z.string() })) });
  const read = async () => templates.parse(await answerOf(world.perform('listTemplates', {}))).templates;
  await world.until(async () => (await read()).length === 1, 'the template');
  const [{ templateId } = { templateId: '' }] = await read();
  await world.perform('updateTemplate', { params: { templateId }, body: { packageWeightGrams: null } });
  await world.yes();
  await world.until(async () => !('packageWeightGrams' in ((await read())[0] ?? {})), 'the change');
  expect((await read())[0]).toMatchObject({ name: 'Shoes', format: 'AUCTION' });
});

test('new listings use the chosen marketplace account, and another person does not inherit that choice', async () => {
  world = await startWorld();
  const [own] = accounts.parse(await answerOf(world.perform('listMarketAccounts', {}))).accounts;
  world.companion().changeSettings({ marketAccountId: own?.marketAccountId ?? '' });
  const { listingId } = await world.reviewed();
  expect((await world.listing(listingId)) as Record<string, unknown>).toMatchObject({
    marketAccountId: own?.marketAccountId,
  });
  await world.companion().connect.forget();
  expect(world.companion().state(null).settings.marketAccountId).toBeNull();
});
