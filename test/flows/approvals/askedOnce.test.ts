import { afterEach, describe, expect, test } from 'vitest';
import { getRouteByName } from '../../../src/contract/index.ts';
import { pairAsker } from '../../helpers/assistant.ts';
import { person } from '../../../src/core/base/request.ts';
import { createProblem } from '../../../src/core/base/problem.ts';
import {
  requestPrompt,
  changeLiveRoutes,
  holdRequest,
  performAs,
  countRequests,
  createWrittenListing,
} from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const listPending = () => world.companion().approvals.listPending();
const toTemplate = (name: string) => ({ body: { name } });

describe('limits on pending approvals', () => {
  test('an assistant with five pending approvals cannot request a sixth', async () => {
    world = await startWorld();
    const [eager, other] = [pairAsker(world, 'Eager'), pairAsker(world, 'Other')];
    for (let at = 0; at < 5; at += 1) await requestPrompt(world, 'createTemplate', toTemplate(`No. ${at}`), eager);
    await expect(performAs(world, eager, 'createTemplate', toTemplate('No. 5'))).rejects.toMatchObject({
      code: 'TOO_MANY_WAITING',
      retryAfterS: 60,
    });
    await requestPrompt(world, 'createTemplate', toTemplate('Mine'), other);
    expect(listPending()).toHaveLength(6);
  });

  test('while twenty approvals are pending, further requests of assistants are refused, but not the person’s', async () => {
    world = await startWorld();
    const four = ['One', 'Two', 'Three', 'Four'].map((name) => pairAsker(world, name));
    for (const by of four)
      for (let at = 0; at < 5; at += 1)
        await requestPrompt(world, 'createTemplate', toTemplate(`${by.name} ${at}`), by);
    expect(listPending()).toHaveLength(20);
    const fifth = pairAsker(world, 'Five');
    await expect(performAs(world, fifth, 'createTemplate', toTemplate('Five'))).rejects.toMatchObject({
      code: 'TOO_MANY_WAITING',
    });
    const [first] = listPending();
    const mine = await requestPrompt(world, 'createTemplate', toTemplate('Mine'));
    for (const one of [first, mine])
      world.companion().approvals.decline(one?.approvalId ?? '', one?.digest ?? '', 'no');
    await requestPrompt(world, 'createTemplate', toTemplate('Five'), fifth);
    expect(listPending()).toHaveLength(20);
  });

  test('the person can have at most twenty pending approvals', async () => {
    world = await startWorld();
    for (let at = 0; at < 20; at += 1) await requestPrompt(world, 'createTemplate', toTemplate(`No. ${at}`));
    await expect(world.perform('createTemplate', toTemplate('No. 20'))).rejects.toMatchObject({
      code: 'TOO_MANY_WAITING',
    });
  });

  test('an assistant that makes six requests at once gets only five pending approvals', async () => {
    world = await startWorld();
    const eager = pairAsker(world, 'Eager');
    const ids = await Promise.all(Array.from({ length: 6 }, () => createWrittenListing(world)));
    const asked = await Promise.allSettled(
      ids.map((listingId) => performAs(world, eager, 'publishListing', { params: { listingId } })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(listPending()).toHaveLength(5);
  });
});

describe('repeated requests', () => {
  test('a publish requested three times at once has one prompt and is sent once', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Hasty');
    const listingId = await createWrittenListing(world);
    const requestPublish = () => performAs(world, by, 'publishListing', { params: { listingId } });
    const both = await Promise.all([requestPublish(), requestPublish(), requestPublish()]);
    const ids = both.map((one) => (one.state === 'pending' ? one.approvalId : null));
    expect(new Set(ids).size).toBe(1);
    expect(listPending()).toHaveLength(1);
    await world.yes();
    expect(await world.happened('publish')).toBe(1);
  });

  test('a repeated request returns the pending prompt without reading the listing again', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Patient');
    const params = { listingId: await createWrittenListing(world) };
    const first = await requestPrompt(world, 'publishListing', { params }, by);
    const reads = await countRequests(world, 'readListing');
    const again = await requestPrompt(world, 'publishListing', { params }, by);
    expect(again.approvalId).toBe(first.approvalId);
    expect(await countRequests(world, 'readListing')).toBe(reads);
  });

  test('the same request by two assistants leads to two prompts', async () => {
    world = await startWorld();
    const params = { listingId: await createWrittenListing(world) };
    for (const name of ['One', 'Two']) await requestPrompt(world, 'publishListing', { params }, pairAsker(world, name));
    expect(listPending()).toHaveLength(2);
  });

  test('a declined request leads to a new prompt only after ten minutes', async () => {
    world = await startWorld();
    const by = pairAsker(world, 'Stubborn');
    const shown = await requestPrompt(world, 'createTemplate', toTemplate('Books'), by);
    world.companion().approvals.decline(shown.approvalId, shown.digest, 'no');
    world.clock.advance(9 * 60_000);
    await expect(performAs(world, by, 'createTemplate', toTemplate('Books'))).rejects.toMatchObject({
      code: 'PERSON_DECLINED',
    });
    expect(listPending()).toEqual([]);
    world.clock.advance(2 * 60_000);
    await requestPrompt(world, 'createTemplate', toTemplate('Books'), by);
    expect(listPending()).toHaveLength(1);
  });

  test('the database refuses a second pending approval for the same request', async () => {
    world = await startWorld();
    const shown = await requestPrompt(world, 'createTemplate', toTemplate('Books'));
    await world.stop();
    const { default: Database } = await import('better-sqlite3');
    const db = new Database(`${world.dataDir}/companion.db`);
    const copy = db.prepare(
      `insert into approvals (approval_id, account, asker, asker_id, route, request_digest, digest, state, prompt, asked_at,
         shown_at, expires_at, subject)
       select 'ap_copy', account, asker, asker_id, route, request_digest, digest, state, prompt, asked_at, shown_at,
         expires_at, subject from approvals where approval_id = ?`,
    );
    expect(() => copy.run(shown.approvalId)).toThrow('UNIQUE');
    db.close();
  });
});

describe('changes to the service’s list of routes for assistants', () => {
  const noTemplates = [{ method: 'POST', path: getRouteByName('createTemplate').path, access: 'website' }];

  test('a request is refused without a prompt if the service no longer lists its route', async () => {
    world = await startWorld();
    await changeLiveRoutes(world, noTemplates);
    await expect(world.perform('createTemplate', toTemplate('Books'))).rejects.toMatchObject({
      code: 'NOT_FOR_ASSISTANTS',
    });
    expect(listPending()).toEqual([]);
    expect(await countRequests(world, 'createTemplate')).toBe(0);
  });

  test('an approval sends nothing if the service removes the route while the prompt is shown', async () => {
    world = await startWorld();
    const shown = await requestPrompt(world, 'createTemplate', toTemplate('Books'));
    await changeLiveRoutes(world, noTemplates);
    const ended = await world.approve(shown);
    expect(ended).toMatchObject({ state: 'superseded', outcome: { code: 'NOT_FOR_ASSISTANTS' } });
    expect(await countRequests(world, 'createTemplate')).toBe(0);
  });

  test('a route or field that the service newly marks as ask-first leads to a prompt', async () => {
    world = await startWorld();
    const params = { listingId: await createWrittenListing(world) };
    await changeLiveRoutes(world, [
      { method: 'POST', path: '/listings/{listingId}/visibility', access: 'agent', askFirst: true },
      { method: 'PUT', path: '/listings/{listingId}', access: 'agent', askFirstWhen: ['sku'] },
    ]);
    await requestPrompt(world, 'setListingVisibility', { params, body: { visible: false } });
    await requestPrompt(world, 'updateListing', { params, body: { sku: 'A-1' } });
    expect((await world.perform('updateListing', { params, body: { title: 'A book' } })).state).toBe('done');
    expect(listPending()).toHaveLength(2);
  });
});

describe('aborted requests of the person', () => {
  test('a request that the person aborts before its prompt exists never leads to a prompt', async () => {
    world = await startWorld();
    const input = { params: { listingId: await createWrittenListing(world) } };
    const quote = await holdRequest(world, 'POST', '/listings/{listingId}/channels/fees');
    const wait = new AbortController();
    const asks = world.companion().perform({ by: person, route: 'publishListing', input, signal: wait.signal });
    const refused = expect(asks).rejects.toMatchObject({ code: 'STOPPED_WAITING' });
    await quote.arrived();
    wait.abort(createProblem('STOPPED_WAITING'));
    await refused;
    await quote.go();
    for (let turn = 0; turn < 5; turn += 1) await performAs(world, person, 'listChannels', {});
    expect(listPending()).toEqual([]);
    await requestPrompt(world, 'publishListing', input);
    expect(listPending()).toHaveLength(1);
  });
});
