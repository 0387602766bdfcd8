import { afterEach, describe, expect, test } from 'vitest';
import { findRouteByName } from '../../../src/contract/index.ts';
import { pairedAsker } from '../../helpers/assistant.ts';
import { person } from '../../../src/core/base/request.ts';
import { createProblem } from '../../../src/core/base/problem.ts';
import {
  askFor,
  changeLiveRoutes,
  held,
  performAs,
  sentTo,
  writtenListing,
} from '../../helpers/approvals/decisions.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
afterEach(() => world.close());

const waiting = () => world.companion().approvals.listPending();
const template = (name: string) => ({ body: { name } });

describe('how many questions may wait', () => {
  test('five of one assistant: the sixth is refused, and another assistant may still ask', async () => {
    world = await startWorld();
    const [eager, other] = [pairedAsker(world, 'Eager'), pairedAsker(world, 'Other')];
    for (let at = 0; at < 5; at += 1) await askFor(world, 'createTemplate', template(`No. ${at}`), eager);
    await expect(performAs(world, eager, 'createTemplate', template('No. 5'))).rejects.toMatchObject({
      code: 'TOO_MANY_WAITING',
      retryAfterS: 60,
    });
    await askFor(world, 'createTemplate', template('Mine'), other);
    expect(waiting()).toHaveLength(6);
  });

  test('twenty in all: a fifth assistant is refused until one is answered, and the person is not', async () => {
    world = await startWorld();
    const four = ['One', 'Two', 'Three', 'Four'].map((name) => pairedAsker(world, name));
    for (const by of four)
      for (let at = 0; at < 5; at += 1) await askFor(world, 'createTemplate', template(`${by.name} ${at}`), by);
    expect(waiting()).toHaveLength(20);
    const fifth = pairedAsker(world, 'Five');
    await expect(performAs(world, fifth, 'createTemplate', template('Five'))).rejects.toMatchObject({
      code: 'TOO_MANY_WAITING',
    });
    const [first] = waiting();
    const mine = await askFor(world, 'createTemplate', template('Mine'));
    for (const one of [first, mine])
      world.companion().approvals.decline(one?.approvalId ?? '', one?.digest ?? '', 'no');
    await askFor(world, 'createTemplate', template('Five'), fifth);
    expect(waiting()).toHaveLength(20);
  });

  test('twenty of the person themselves', async () => {
    world = await startWorld();
    for (let at = 0; at < 20; at += 1) await askFor(world, 'createTemplate', template(`No. ${at}`));
    await expect(world.perform('createTemplate', template('No. 20'))).rejects.toMatchObject({
      code: 'TOO_MANY_WAITING',
    });
  });

  test('of six that one assistant asks at the same moment, five wait', async () => {
    world = await startWorld();
    const eager = pairedAsker(world, 'Eager');
    const ids = await Promise.all(Array.from({ length: 6 }, () => writtenListing(world)));
    const asked = await Promise.allSettled(
      ids.map((listingId) => performAs(world, eager, 'publishListing', { params: { listingId } })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(waiting()).toHaveLength(5);
  });
});

describe('the same question', () => {
  test('asked twice at the same moment is one prompt, and one yes sends it once', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Hasty');
    const listingId = await writtenListing(world);
    const twice = () => performAs(world, by, 'publishListing', { params: { listingId } });
    const both = await Promise.all([twice(), twice(), twice()]);
    const ids = both.map((one) => (one.state === 'pending' ? one.approvalId : null));
    expect(new Set(ids).size).toBe(1);
    expect(waiting()).toHaveLength(1);
    await world.yes();
    expect(await world.happened('publish')).toBe(1);
  });

  test('asked again while it waits reads nothing: it is the same prompt', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Patient');
    const params = { listingId: await writtenListing(world) };
    const first = await askFor(world, 'publishListing', { params }, by);
    const reads = await sentTo(world, 'readListing');
    const again = await askFor(world, 'publishListing', { params }, by);
    expect(again.approvalId).toBe(first.approvalId);
    expect(await sentTo(world, 'readListing')).toBe(reads);
  });

  test('of another asker is another question', async () => {
    world = await startWorld();
    const params = { listingId: await writtenListing(world) };
    for (const name of ['One', 'Two']) await askFor(world, 'publishListing', { params }, pairedAsker(world, name));
    expect(waiting()).toHaveLength(2);
  });

  test('that was declined gets the same no for ten minutes, and is asked after that', async () => {
    world = await startWorld();
    const by = pairedAsker(world, 'Stubborn');
    const shown = await askFor(world, 'createTemplate', template('Books'), by);
    world.companion().approvals.decline(shown.approvalId, shown.digest, 'no');
    world.clock.advance(9 * 60_000);
    await expect(performAs(world, by, 'createTemplate', template('Books'))).rejects.toMatchObject({
      code: 'PERSON_DECLINED',
    });
    expect(waiting()).toEqual([]);
    world.clock.advance(2 * 60_000);
    await askFor(world, 'createTemplate', template('Books'), by);
    expect(waiting()).toHaveLength(1);
  });

  test('cannot wait twice on the disk, whatever asks', async () => {
    world = await startWorld();
    const shown = await askFor(world, 'createTemplate', template('Books'));
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

describe('the list of routes that the service gives to agents', () => {
  const noTemplates = [{ method: 'POST', path: findRouteByName('createTemplate').path, access: 'website' }];

  test('no longer has a route: nobody is asked, nothing is sent', async () => {
    world = await startWorld();
    await changeLiveRoutes(world, noTemplates);
    await expect(world.perform('createTemplate', template('Books'))).rejects.toMatchObject({
      code: 'NOT_FOR_ASSISTANTS',
    });
    expect(waiting()).toEqual([]);
    expect(await sentTo(world, 'createTemplate')).toBe(0);
  });

  test('loses a route while the person looks at the prompt: the yes sends nothing, and the prompt says why', async () => {
    world = await startWorld();
    const shown = await askFor(world, 'createTemplate', template('Books'));
    await changeLiveRoutes(world, noTemplates);
    const ended = await world.approve(shown);
    expect(ended).toMatchObject({ state: 'superseded', outcome: { code: 'NOT_FOR_ASSISTANTS' } });
    expect(await sentTo(world, 'createTemplate')).toBe(0);
  });

  test('says of one more route that the person is asked first, always or for a field: they are', async () => {
    world = await startWorld();
    const params = { listingId: await writtenListing(world) };
    await changeLiveRoutes(world, [
      { method: 'POST', path: '/listings/{listingId}/visibility', access: 'agent', askFirst: true },
      { method: 'PUT', path: '/listings/{listingId}', access: 'agent', askFirstWhen: ['sku'] },
    ]);
    await askFor(world, 'setListingVisibility', { params, body: { visible: false } });
    await askFor(world, 'updateListing', { params, body: { sku: 'A-1' } });
    expect((await world.perform('updateListing', { params, body: { title: 'A book' } })).state).toBe('done');
    expect(waiting()).toHaveLength(2);
  });
});

describe('a person who stops waiting', () => {
  test('before the question stands there is not asked it, then or later', async () => {
    world = await startWorld();
    const input = { params: { listingId: await writtenListing(world) } };
    const quote = await held(world, 'POST', '/listings/{listingId}/channels/fees');
    const wait = new AbortController();
    const asks = world.companion().perform({ by: person, route: 'publishListing', input, signal: wait.signal });
    const refused = expect(asks).rejects.toMatchObject({ code: 'STOPPED_WAITING' });
    await quote.arrived();
    wait.abort(createProblem('STOPPED_WAITING'));
    await refused;
    await quote.go();
    for (let turn = 0; turn < 5; turn += 1) await performAs(world, person, 'listChannels', {});
    expect(waiting()).toEqual([]);
    await askFor(world, 'publishListing', input);
    expect(waiting()).toHaveLength(1);
  });
});
