import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  sendHttpRequest,
  UnansweredError,
  type HttpRequest,
  createAgentOpener,
} from '../../../../src/core/service/sendHttpRequest.ts';
import { startSlowServer } from '../../../helpers/hosts/slowServer.ts';
import { waitUntil } from '../../../helpers/testClock.ts';

const pieceBytes = 256 * 1024;
const all = 128;
const openAgent = createAgentOpener();

let place: Awaited<ReturnType<typeof startSlowServer>>;
beforeEach(async () => {
  place = await startSlowServer();
});
afterEach(() => place.close());

/**
 * Sends a request with a body of chunks, of which chunk `failing` fails. `seen` counts the produced chunks and the
 * resets of the idle timeout.
 */
const sendChunks = (failing?: number) => {
  const seen = { asked: 0, heard: 0, left: false, giveUp: (): void => {} };
  const abort = new AbortController();
  const pieces = async function* () {
    try {
      for (; seen.asked < all; seen.asked += 1) {
        if (seen.asked === failing) throw new Error('The disk is gone.');
        yield Buffer.alloc(pieceBytes);
      }
    } finally {
      seen.left = true;
    }
  };
  const idleTimeout = {
    wait: (giveUp: () => void) => {
      seen.giveUp = giveUp;
      return { heard: () => void (seen.heard += 1), begun: () => {}, over: () => {} };
    },
  };
  const sent: HttpRequest = {
    method: 'PUT',
    url: new URL(place.url),
    headers: { 'content-length': String(all * pieceBytes) },
    body: pieces(),
    signal: abort.signal,
  };
  const got = openAgent().then((agent) => sendHttpRequest(agent, idleTimeout, sent));
  void got.catch(() => undefined);
  return { seen, abort, got };
};
const waitForRequest = async () => {
  await waitUntil(() => place.arrived().length === 1, 'the request');
  const [one] = place.arrived();
  if (!one) throw new Error('No request arrived.');
  return one;
};

test('body chunks are produced only as fast as the server reads', async () => {
  const { seen, got } = sendChunks();
  const one = await waitForRequest();
  await place.full(() => seen.asked);
  expect(seen.asked).toBeLessThan(all);
  expect(seen.heard).toBeGreaterThanOrEqual(seen.asked);
  const before = { ...seen };
  await place.full(() => seen.heard);
  expect(seen.heard).toBe(before.heard);
  await place.take(one, () => seen.asked > before.asked + 4);
  expect(seen.heard).toBeGreaterThan(before.heard + 4);
  await place.take(one, () => seen.left);
  one.to.end('thanks');
  expect(await got).toMatchObject({ status: 200, text: 'thanks' });
  expect(seen.asked).toBe(all);
});

test('no further chunk is produced after an early response', async () => {
  const { seen, got } = sendChunks();
  (await waitForRequest()).to.writeHead(403).end('no');
  expect(await got).toMatchObject({ status: 403, text: 'no' });
  await waitUntil(() => seen.left, 'the end of the pieces');
  expect(seen.asked).toBeLessThan(all);
});

test.each([
  [
    'the caller aborts the request',
    (sending: ReturnType<typeof sendChunks>) => sending.abort.abort(new Error('enough')),
    'enough',
  ],
  ['the idle timeout expires', (sending: ReturnType<typeof sendChunks>) => sending.seen.giveUp(), 'no whole answer'],
])('a request is aborted at once: %s', async (_what, end, says) => {
  const sending = sendChunks();
  const one = await waitForRequest();
  await place.full(() => sending.seen.asked);
  end(sending);
  await expect(sending.got).rejects.toThrow(says);
  await place.ended(one);
  await waitUntil(() => sending.seen.left, 'the end of the pieces');
  expect(sending.seen.asked).toBeLessThan(all);
});

test('the server never receives a complete request if one of its chunks fails', async () => {
  const { got } = sendChunks(3);
  await expect(got).rejects.toBeInstanceOf(UnansweredError);
  await place.ended(await waitForRequest());
  expect(place.arrived()[0]?.from.complete).toBe(false);
});
