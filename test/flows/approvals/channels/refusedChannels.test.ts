import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { toProblemView } from '../../../../src/core/base/problem.ts';
import type { Asker } from '../../../../src/core/base/request.ts';
import { countRequests, readServiceKey } from '../../../helpers/approvals/decisions.ts';
import { pairAsker } from '../../../helpers/assistant.ts';
import { connectCorner } from '../../../helpers/practice/channels.ts';
import { startWorld, type World } from '../../../helpers/world.ts';

// Requests that the service would refuse are refused at once, without a prompt.

type ChannelRoute = 'publishChannels' | 'reviseChannels' | 'endChannels' | 'deleteFromChannels';

let world: World;
let listingId: string;
let by: Asker;
beforeEach(async () => {
  world = await startWorld();
  await connectCorner(world.practice, await readServiceKey(world));
  listingId = await world.practice.live(await readServiceKey(world));
  by = pairAsker(world, 'Tidy Helper');
});
afterEach(() => world.close());

const publishOnCorner = () =>
  world.perform('publishChannels', { params: { listingId }, body: { channels: ['corner'] } });
const readRefusal = async (route: ChannelRoute, body: object) => {
  const error: unknown = await world
    .companion()
    .perform({ by, route, input: { params: { listingId }, body } })
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  expect(world.companion().approvals.listPending()).toEqual([]);
  return toProblemView(error);
};

const connected = z.object({ connections: z.array(z.object({ connectionId: z.string() })) });
const routes: ChannelRoute[] = ['publishChannels', 'reviseChannels', 'endChannels', 'deleteFromChannels'];
const nowhere: [ChannelRoute, string][] = routes.flatMap((route) =>
  ['nowhere', '__proto__', 'constructor'].map((name): [ChannelRoute, string] => [route, name]),
);
test.each(nowhere)('%s is refused for the unknown channel “%s”', async (route, name) => {
  expect(await readRefusal(route, { channels: [name], ...(route === 'reviseChannels' ? { price: 900 } : {}) })).toEqual(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      field: 'channels',
      sentence: `There is no channel “${name}”. The list of channels has their ids.`,
    }),
  );
});

test.each(routes)('%s is refused for a list with one unknown channel', async (route) => {
  const channels = [route === 'publishChannels' ? 'corner' : 'market', 'nowhere'];
  const changes = route === 'reviseChannels' ? { price: 900 } : {};
  expect(await readRefusal(route, { channels, ...changes })).toMatchObject({ code: 'INVALID_REQUEST' });
});

test.each(routes)('%s is refused for an empty list of channels and for a repeated channel', async (route) => {
  const changes = route === 'reviseChannels' ? { price: 900 } : {};
  for (const channels of [[], ['corner', 'corner']])
    expect(await readRefusal(route, { channels, ...changes })).toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'channels',
      sentence: 'Name the channels as a list of their ids, at least one, and each once.',
    });
  const key = await readServiceKey(world);
  const act = {
    publishChannels: 'publish',
    reviseChannels: 'revise',
    endChannels: 'end',
    deleteFromChannels: 'delete',
  };
  const there = await world.practice.call(key, 'POST', `/listings/${listingId}/channels/${act[route]}`, {
    channels: ['corner', 'corner'],
    ...changes,
  });
  expect(there.status).toBe(400);
});

test('a publish on a disconnected channel is refused until the channel is connected', async () => {
  const outcome = await world.perform('listConnections', {});
  const { connections } = connected.parse(outcome.state === 'done' ? outcome.answer : null);
  const key = await readServiceKey(world);
  await world.practice.call(key, 'DELETE', `/channels/connections/corner/${connections[0]?.connectionId}`);
  for (const channels of [['corner'], ['corner', 'nowhere']])
    expect(await readRefusal('publishChannels', { channels })).toMatchObject({ code: 'INVALID_REQUEST' });
  expect((await readRefusal('publishChannels', { channels: ['corner'] })).sentence).toBe(
    '“Corner shop (practice)” is not connected. It can be connected in Selling setup.',
  );
  await connectCorner(world.practice, key);
  expect((await publishOnCorner()).state).toBe('pending');
});

test('a first publish that leaves out the marketplace is refused', async () => {
  listingId = (await world.reviewed()).listingId;
  expect(await readRefusal('publishChannels', { channels: ['corner'] })).toMatchObject({
    code: 'WRONG_STATE',
    sentence: 'Publish this listing on the marketplace first, or together with the other channels.',
  });
});

test('a removal from channels is refused if it lists no channels or the marketplace', async () => {
  await publishOnCorner();
  await world.yes();
  expect(await readRefusal('deleteFromChannels', {})).toMatchObject({ code: 'INVALID_REQUEST', field: 'channels' });
  for (const channels of [['market'], ['market', 'corner']])
    expect(await readRefusal('deleteFromChannels', { channels })).toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'channels',
      sentence: 'A listing is ended on the marketplace, not removed from it.',
    });
});

test('a channel request is refused if the listing’s state on the channel does not allow it', async () => {
  for (const route of ['reviseChannels', 'endChannels', 'deleteFromChannels'] as const)
    expect(
      await readRefusal(route, { channels: ['corner'], ...(route === 'reviseChannels' ? { price: 900 } : {}) }),
      route,
    ).toMatchObject({ code: 'WRONG_STATE', field: 'channels' });
  await publishOnCorner();
  await world.yes();
  expect(await readRefusal('publishChannels', { channels: ['corner'] })).toMatchObject({ code: 'WRONG_STATE' });
  expect(await readRefusal('publishChannels', { channels: ['market'] })).toMatchObject({ code: 'WRONG_STATE' });
  expect(await readRefusal('publishChannels', { channels: ['market', 'corner'] })).toMatchObject({
    code: 'WRONG_STATE',
  });
});

test('several requests share one read of the list of channels', async () => {
  const before = await countRequests(world, 'listChannels');
  for (const name of ['nowhere', '__proto__', 'constructor', 'toString'])
    await readRefusal('endChannels', { channels: [name] });
  expect((await countRequests(world, 'listChannels')) - before).toBe(1);
});

test('a list of channels in an unknown format does not prevent a publish request', async () => {
  await world.practice.fault({ method: 'GET', path: '/channels', body: { channels: [{ key: 'corner' }] } });
  expect((await publishOnCorner()).state).toBe('pending');
});
