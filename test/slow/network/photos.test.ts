import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashSha256 } from '../../../src/core/photos/preparedPhotos.ts';
import { faultNames, faults, type Fault, type FaultName } from './faults.ts';
import { putPhoto } from '../../../src/core/service/putPhoto.ts';
import { anywhere } from '../../helpers/anywhere.ts';
import { startSlowServer } from '../../helpers/hosts/slowServer.ts';
import { waitUntil, createTestClock } from '../../helpers/testClock.ts';
import { startPhotoScene } from './photoScene.ts';
import type { Put } from './store.ts';

let scene: Awaited<ReturnType<typeof startPhotoScene>>;
beforeAll(async () => {
  scene = await startPhotoScene();
});
afterAll(() => scene.close());
beforeEach(() => scene.calm());

const failed = {
  code: 'UPLOAD_FAILED',
  sentence: 'A photo could not be uploaded. Check the internet connection and try again.',
};
const refused = {
  code: 'UPLOAD_REFUSED',
  sentence: 'The service did not accept a photo. Try again: a new upload address is asked for then.',
};
const broken = {
  code: 'SERVICE_FAULT',
  sentence: 'The service has a problem right now. Please try again in a moment.',
};
const slowDown = {
  code: 'TOO_MANY_REQUESTS',
  sentence: 'The service is getting too many requests. Wait a moment before you try again.',
};

const getStatus = ({ order }: Fault): number => Number(order?.['status'] ?? 0);
/** Returns the expected result of one upload. A successful status means that the store has the photo. */
const getExpected = (fault: Fault) => {
  const status = getStatus(fault);
  const says = status >= 500 ? broken : status === 429 ? slowDown : status > 0 ? refused : failed;
  const fine = fault.result === 'answered' || fault.result === 'strange';
  return {
    says: fine ? null : { ...says, retryAfterS: fault.says?.retryAfterS },
    /** Whether a waiting caller gets a retry, and whether the item continues without the person. */
    again: fault.result === 'unclear' || fault.result === 'unreached',
    passes: fine || status === 0 || status === 429 || status >= 500,
    /** The minimum pause before the next upload, in seconds; a minute if a 429 names none. */
    waitsS: fault.says?.retryAfterS ?? (status === 429 ? 60 : null),
  };
};
/** Returns how many of the attempts reach the photo store. */
const countArriving = (fault: Fault, tries: number): number => (fault.result === 'unreached' ? 0 : tries);

const expectNoSecrets = async (puts: Put[]): Promise<void> => {
  const key = await scene.key();
  expect(key.length).toBeGreaterThan(20);
  for (const put of puts) {
    expect(put.head.toLowerCase()).not.toContain('authorization');
    expect(put.head + put.bytes.toString('latin1')).not.toContain(key);
  }
};

describe('the upload of one photo', () => {
  test.each(faultNames)('an upload ends as expected if every attempt meets the fault “%s”', async (name) => {
    const fault: Fault = faults[name];
    const { says, again } = getExpected(fault);
    const { problem, puts, bytes, stored } = await scene.single(fault, true);
    expect(problem && { code: problem.code, sentence: problem.message, retryAfterS: problem.retryAfterS }).toEqual(
      says,
    );
    expect(puts).toHaveLength(countArriving(fault, again ? 2 : 1));
    expect(`${problem?.message} ${problem?.stack}`).not.toContain('<html');
    if (says === null || fault.works) expect(await stored()).toEqual(bytes);
    await expectNoSecrets(puts);
  });

  const passing = faultNames.filter((name) => faults[name].result === 'unclear');
  test.each(passing)('an upload succeeds if only its first attempt meets the fault “%s”', async (name) => {
    const { problem, puts, bytes, stored } = await scene.single(faults[name], false);
    expect(problem).toBe(null);
    expect(puts).toHaveLength(2);
    // Both attempts upload the same photo to the same address.
    expect(new Set(puts.map(({ path }) => path)).size).toBe(1);
    expect(await stored()).toEqual(bytes);
  });
});

type Dropped = Awaited<ReturnType<typeof scene.drop>>;

/** Lets the pause pass that the service asked for, and expects no upload before its end. */
const waitFor = async (item: Dropped, seconds: number): Promise<void> => {
  const before = item.puts().length;
  await scene.pass((seconds - 1) * 1_000);
  expect(item.puts()).toHaveLength(before);
  await scene.pass(1_000);
};

/** Expects both photos stored once and unchanged, one draft, and no leaked key. */
const expectStored = async (item: Dropped): Promise<void> => {
  const { step, stop } = await item.until('review');
  expect([step, stop]).toEqual(['review', null]);
  const stored = (await item.stored()).map(hashSha256);
  expect(new Set(stored).size).toBe(2);
  expect(stored).toHaveLength(2);
  expect(new Set(item.puts().flatMap(({ bytes, whole }) => (whole ? [hashSha256(bytes)] : [])))).toEqual(
    new Set(stored),
  );
  expect((await item.counts()).drafts).toBe(1);
  expect(scene.world.companion().state(null).connection).toBe('connected');
  await expectNoSecrets(item.puts());
};

describe('an item whose uploads fail', () => {
  test.each(faultNames)('an item ends as expected if every photo upload meets the fault “%s”', async (name) => {
    const fault: Fault = faults[name];
    const { says, passes, waitsS } = getExpected(fault);
    const times = await scene.order(fault, true);
    const item = await scene.drop();
    const rested = await item.until('rest', fault, times);
    if (says === null) {
      expect(await item.counts()).toMatchObject({ puts: 2, asked: 1 });
      return expectStored(item);
    }
    // Both uploads were in flight when the first failed; refused photos are tried again with new slots.
    expect(await item.counts()).toEqual({
      puts: countArriving(fault, 2 * (passes ? 1 : 3)),
      asked: passes ? 1 : 3,
      drafts: 1,
    });
    if (passes) {
      expect(rested).toMatchObject({ step: 'upload', stop: null });
      expect(rested.words).toContain('waiting for the service');
    } else {
      const { code, sentence } = refused;
      expect(rested).toMatchObject({
        step: 'upload',
        stop: { kind: 'failed', code, sentence, next: ['retry', 'remove'] },
      });
    }
    await scene.calm();
    if (!passes) await scene.world.companion().items.resume(item.itemId);
    if (waitsS !== null) await waitFor(item, waitsS);
    await expectStored(item);
    expect((await item.counts()).asked).toBe(passes ? 1 : 4);
  });

  const once = faultNames.filter(
    (name: FaultName) => getExpected(faults[name]).says !== null && faults[name].order !== null,
  );
  test.each(once)('an item recovers if only one photo upload meets the fault “%s”', async (name) => {
    const fault: Fault = faults[name];
    const { passes, waitsS } = getExpected(fault);
    const times = await scene.order(fault, false);
    const item = await scene.drop();
    const longer = (waitsS ?? 0) > 5;
    await item.until(longer ? 'rest' : 'review', fault, times);
    if (longer) await waitFor(item, waitsS ?? 0);
    await expectStored(item);
    // One photo is uploaded again; it needs a new slot only if the service refused it.
    expect(await item.counts()).toEqual({ puts: 3, asked: passes ? 1 : 2, drafts: 1 });
  });
});

const mib = 1024 * 1024;
const beatMs = 15_000;

describe('a slow upload', () => {
  /** Starts the upload of a large photo to a server that reads as slowly as the test wants. */
  const startUpload = async () => {
    const server = await startSlowServer();
    const clock = createTestClock();
    const abort = new AbortController();
    const seen = { sent: 0, over: false };
    const photo = { bytes: Buffer.alloc(32 * mib), contentType: 'image/jpeg', uploadUrl: server.url };
    const put = putPhoto(
      { ...photo, sent: (bytes) => (seen.sent = bytes) },
      { clock, outside: anywhere, secondTryMs: () => 1_000 },
      abort.signal,
    );
    void put.catch(() => undefined).finally(() => (seen.over = true));
    const passBeats = async (count: number): Promise<void> => {
      for (let beat = 0; beat < count; beat += 1) {
        clock.advance(beatMs);
        await turn();
      }
    };
    const waitForPut = async (count: number) => {
      await waitUntil(() => server.arrived().length === count, `put ${count}`);
      await server.full(() => seen.sent);
      const one = server.arrived().at(-1);
      if (!one) throw new Error('None arrived.');
      return one;
    };
    return { server, clock, abort, seen, put, photo, passBeats, waitForPut };
  };

  test('a slow upload is not aborted while it makes progress', async () => {
    const { server, clock, seen, put, photo, passBeats, waitForPut } = await startUpload();
    const from = clock.now();
    const first = await waitForPut(1);
    while (seen.sent < photo.bytes.length) {
      await passBeats(4);
      const before = seen.sent;
      await server.take(first, () => seen.sent >= Math.min(before + mib, photo.bytes.length));
    }
    first.from.resume();
    first.to.end();
    await put;
    expect(clock.now() - from).toBeGreaterThan(15 * 60_000);
    expect(server.arrived()).toHaveLength(1);
    await server.close();
  });

  test('an upload is aborted after a minute without progress and retried once', async () => {
    const { server, clock, seen, put, passBeats, waitForPut } = await startUpload();
    const first = await waitForPut(1);
    await passBeats(4);
    await server.take(
      first,
      (
        (enough) => () =>
          seen.sent >= enough
      )(seen.sent + 2 * mib),
    );
    await server.full(() => seen.sent);
    await passBeats(4);
    expect(clock.next()).toBe(beatMs);
    await passBeats(1);
    await server.ended(first);
    expect(clock.next()).toBe(1_000);
    clock.advance(1_000);
    await waitForPut(2);
    await passBeats(4);
    expect(seen.over).toBe(false);
    await passBeats(1);
    await expect(put).rejects.toMatchObject({ code: failed.code, message: failed.sentence });
    expect(server.arrived()).toHaveLength(2);
    await server.close();
  });

  test('an upload ends at once when the person aborts it, even before a retry', async () => {
    const one = await startUpload();
    const first = await one.waitForPut(1);
    one.abort.abort(new Error('enough'));
    await expect(one.put).rejects.toThrow('enough');
    await one.server.ended(first);
    await one.server.close();

    const other = await startUpload();
    (await other.waitForPut(1)).from.socket.resetAndDestroy();
    await waitUntil(() => other.clock.next() === 1_000, 'the wait');
    other.abort.abort(new Error('enough'));
    await expect(other.put).rejects.toThrow('enough');
    expect(other.server.arrived()).toHaveLength(1);
    await other.server.close();
  });

  test('an upload ends at once if the service refuses it before it is complete', async () => {
    const { server, put, waitForPut } = await startUpload();
    (await waitForPut(1)).to.writeHead(403).end('<Error>AccessDenied</Error>');
    await expect(put).rejects.toMatchObject({ code: 'UPLOAD_REFUSED', status: 403 });
    expect(server.arrived()).toHaveLength(1);
    await server.close();
  });
});

describe('an item whose photos are being uploaded', () => {
  const dropStuck = async () => {
    await scene.order(faults.timeout, true);
    const item = await scene.drop();
    await waitUntil(() => item.puts().length === 2, 'both puts');
    return item;
  };
  const isOpen = ({ gone }: Put): boolean => !gone;

  test('an item cancelled during its uploads stops at once and resumes with the same upload slots', async () => {
    const item = await dropStuck();
    const before = scene.world.clock.now();
    const { stop } = await scene.world.companion().items.cancel(item.itemId);
    expect(stop).toMatchObject({ kind: 'cancelled', code: 'CANCELLED', next: ['resume', 'remove'] });
    await waitUntil(() => !item.puts().some(isOpen), 'the end of the connections');
    expect(scene.world.clock.now()).toBe(before);
    await scene.calm();
    await scene.world.companion().items.resume(item.itemId);
    await expectStored(item);
    expect(await item.counts()).toEqual({ puts: 4, asked: 1, drafts: 1 });
  });

  test('if an item is removed during its uploads, the uploads end at once and nothing more is sent', async () => {
    const item = await dropStuck();
    await scene.world.companion().items.remove(item.itemId);
    await waitUntil(() => !item.puts().some(isOpen), 'the end of the connections');
    await scene.calm();
    await scene.pass(120_000);
    expect(await item.counts()).toEqual({ puts: 2, asked: 1, drafts: 1 });
    expect(() => item.now()).toThrow();
  });

  test.each([
    ['by both clocks', 15 * 60_000, 4],
    ['by the service’s clock only', 0, 6],
  ])('an item requests new upload slots if the old slots expired %s', async (_what, companionMs, puts) => {
    await scene.order(faults['503 with Retry-After'], true);
    const item = await scene.drop();
    await item.until('rest');
    await scene.calm();
    await scene.world.practice.advance(15 * 60_000);
    scene.world.clock.advance(companionMs);
    if (companionMs === 0) await waitFor(item, 120);
    await expectStored(item);
    expect(await item.counts()).toEqual({ puts, asked: 2, drafts: 1 });
    expect(new Set(item.puts().map(({ path }) => path)).size).toBe(4);
  });
});
