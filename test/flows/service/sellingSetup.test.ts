import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { Topic } from '../../../src/core/base/ports.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const accounts = z.looseObject({ accounts: z.array(z.looseObject({ marketAccountId: z.string() })) });

const readAnswer = async (asked: ReturnType<World['perform']>): Promise<unknown> => {
  const outcome = await asked;
  return outcome.state === 'done' ? outcome.answer : null;
};

test('the window reloads the selling setup only after a change is approved', async () => {
  world = await startWorld();
  const told: Topic[] = [];
  world.companion().onChanged((topic) => told.push(topic));
  await world.perform('updateSellerDefaults', { body: { packageWeightGrams: 700 } });
  expect(told).not.toContain('setup');
  await world.yes();
  await world.until(() => told.includes('setup'), 'the word about the setup');
  expect(await readAnswer(world.perform('readSellerDefaults', {}))).toMatchObject({ packageWeightGrams: 700 });
});

test('a template field that is sent as null is deleted, but other fields remain', async () => {
  world = await startWorld();
  await world.perform('createTemplate', { body: { name: 'Shoes', packageWeightGrams: 900, format: 'AUCTION' } });
  await world.yes();
  const templates = z.looseObject({ templates: z.array(z.looseObject({ templateId: z.string() })) });
  const read = async () => templates.parse(await readAnswer(world.perform('listTemplates', {}))).templates;
  await world.until(async () => (await read()).length === 1, 'the template');
  const [{ templateId } = { templateId: '' }] = await read();
  await world.perform('updateTemplate', { params: { templateId }, body: { packageWeightGrams: null } });
  await world.yes();
  await world.until(async () => !('packageWeightGrams' in ((await read())[0] ?? {})), 'the change');
  expect((await read())[0]).toMatchObject({ name: 'Shoes', format: 'AUCTION' });
});

test('new listings use the marketplace account that the person chose', async () => {
  world = await startWorld();
  const [own] = accounts.parse(await readAnswer(world.perform('listMarketAccounts', {}))).accounts;
  world.companion().changeSettings({ marketAccountId: own?.marketAccountId ?? '' });
  const { listingId } = await world.reviewed();
  expect((await world.listing(listingId)) as Record<string, unknown>).toMatchObject({
    marketAccountId: own?.marketAccountId,
  });
  await world.companion().connect.forget();
  expect(world.companion().state(null).settings.marketAccountId).toBeNull();
});
