import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { pairAssistant } from '../../helpers/assistant.ts';
import { startWorld, type World } from '../../helpers/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

/** Starts a local server that counts the connections to it. */
const startCountingServer = async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(server.listen(0, '::'), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
};

const listOwnAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);

test('the companion never connects to photo addresses on this machine or its network', async () => {
  const server = await startCountingServer();
  const bridge = await world.bridge();
  onTestFinished(() => bridge.stop());
  const assistant = await pairAssistant(world, bridge.url);
  const { listingId } = await world.reviewed();
  const hosts = [
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0.0.0.0',
    ...listOwnAddresses(),
  ];
  const imageUrls = hosts.flatMap((host) => [
    `https://${host}:${server.port}/1.jpg`,
    `http://${host}:${server.port}/1.jpg`,
  ]);
  await world.practice.fault({ method: 'GET', path: '/listings/{listingId}', body: { imageUrls }, times: 1_000 });
  world.clock.advance(61_000);
  await assistant.call('GET', `/listings/${listingId}`);

  for (const [index] of imageUrls.entries()) {
    expect(await world.companion().photo({ listingId, index })).toBeNull();
    const seen = await assistant.call('GET', `/companion/listings/${listingId}/photos/${index + 1}`);
    expect([seen.status, seen.body['code']], imageUrls[index]).toEqual([503, 'PHOTOS_UNREADABLE']);
  }
  const asked = await assistant.call('POST', `/market/publish/${listingId}`, { body: {} });
  expect([asked.status, asked.body['code']]).toEqual([503, 'PHOTOS_UNREADABLE']);
  expect(server.connections()).toBe(0);
});
