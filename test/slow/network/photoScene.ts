import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { Problem } from '../../../src/core/base/problem.ts';
import type { ItemView } from '../../../src/core/storage/tables/itemRecord.ts';
import { getSecondTryDelayMs } from '../../../src/core/service/pacing/waits.ts';
import { putPhoto } from '../../../src/core/service/putPhoto.ts';
import { anywhere } from '../../helpers/anywhere.ts';
import { drawnPhoto } from '../../helpers/practice.ts';
import { createTestClock } from '../../helpers/testClock.ts';
import { startWorld } from '../../helpers/world.ts';
import type { Fault } from './faults.ts';
import { runTime } from './runTime.ts';
import { startStore, type Put } from './store.ts';

const often = 1_000;
const noFault: Pick<Fault, 'runs'> = {};
const everything = { plan: 'Scale', connected: true, site: 'MKT_US', used: 0 };
const counted = z.record(z.string(), z.object({ calls: z.int() }));
const slots = z.array(z.object({ uploadUrl: z.string(), publicUrl: z.string() }));

/** Starts a companion whose photo uploads meet one fault after the other. */
export const startPhotoScene = async () => {
  let url: string | null = null;
  const world = await startWorld({ person: everything, reach: () => url, outside: anywhere });
  const { practice } = world;
  const store = await startStore(practice.url);
  url = store.url;
  world.companion().notifications.stop();
  const folder = await world.folder('two of them', 2);
  const time = runTime(practice, world.clock);
  const getItems = () => world.companion().items;
  const readKey = async (): Promise<string> => (await world.secrets.get('agent-key practice')) ?? '';
  const countSlotRequests = async (): Promise<number> =>
    counted.parse(await practice.control('GET', '/calls'))['requestUploads']?.calls ?? 0;

  /** Makes the next uploads meet the fault; returns the maximum number of times. */
  const orderFault = async (fault: Fault, lasting: boolean): Promise<number> => {
    const times = lasting ? often : 1;
    if (fault.order === null) await store.down();
    else {
      const told = JSON.stringify(fault.order).replaceAll('KEY', await readKey());
      const parsed = z.record(z.string(), z.unknown()).parse(JSON.parse(told));
      await practice.fault({ method: 'PUT', path: '/uploads/{token}', times, ...parsed });
    }
    return times;
  };
  const endFaults = async (): Promise<void> => {
    await practice.control('DELETE', '/faults');
    await store.up();
  };
  /** Waits until the companion sends nothing more on its own. */
  const waitUntilQuiet = async (): Promise<void> => {
    for (let same = 0, before = ''; same < 4;) {
      await wait(5);
      const now = JSON.stringify([await practice.control('GET', '/calls'), store.puts().length]);
      same = now === before ? same + 1 : 0;
      before = now;
    }
  };
  const fetchPhoto = async (publicUrl: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(publicUrl)).arrayBuffer());

  /** Calls putPhoto once, with its own clock, and returns the result. */
  const putOne = async (fault: Fault, lasting: boolean) => {
    const clock = createTestClock();
    const listingId = await practice.draft(await readKey(), 0);
    const files = [{ contentType: 'image/jpeg', index: 0 }];
    const given = await practice.call(await readKey(), 'POST', '/listings/upload-url', { listingId, files });
    const [slot] = slots.parse(given.body);
    const [bytes, before] = [await drawnPhoto(), store.puts().length];
    const photos = await world.happened('photo');
    const times = await orderFault(fault, lasting);
    const ended: { with?: unknown } = {};
    const photo = { bytes, contentType: 'image/jpeg', uploadUrl: store.placed(slot?.uploadUrl ?? ''), sent: () => {} };
    void putPhoto(
      photo,
      { clock, outside: anywhere, secondTryMs: (retryAfterS) => getSecondTryDelayMs(retryAfterS, () => 0) },
      new AbortController().signal,
    ).then(
      () => (ended.with = null),
      (error: unknown) => (ended.with = error),
    );
    // The upload must take effect before the silence begins.
    const isDone = async () =>
      fault.order?.['silent'] !== 'after' || (await world.happened('photo')) - photos === store.puts().length - before;
    await runTime(practice, clock).until(() => 'with' in ended, fault, times, isDone);
    await endFaults();
    const puts = store.puts().slice(before);
    const problem = ended.with === null ? null : ended.with instanceof Problem && ended.with;
    if (problem === false) throw new Error('The rejection is not a Problem.', { cause: ended.with });
    return { problem, puts, bytes, stored: () => fetchPhoto(slot?.publicUrl ?? '') };
  };

  /** Drops two photos and counts uploads, slot requests and drafts from then on. */
  const dropPhotos = async () => {
    const before = {
      puts: store.puts().length,
      asked: await countSlotRequests(),
      drafts: await world.happened('draft'),
    };
    const { itemIds } = await world.companion().add({ kind: 'paths', paths: [folder] });
    const itemId = itemIds[0] ?? '';
    const listPuts = (): Put[] => store.puts().slice(before.puts);
    return {
      itemId,
      puts: listPuts,
      now: (): ItemView => getItems().get(itemId),
      counts: async () => ({
        puts: listPuts().length,
        asked: (await countSlotRequests()) - before.asked,
        drafts: (await world.happened('draft')) - before.drafts,
      }),
      /** Waits until the item waits for the service, has stopped, or is in review. */
      until: async (
        step: 'review' | 'rest',
        fault: Pick<Fault, 'runs'> = noFault,
        times = often,
      ): Promise<ItemView> => {
        const isResting = ({ stop, words }: ItemView) => stop !== null || words.includes('waiting for the service');
        const isOver = () =>
          getItems().get(itemId).step === 'review' || (step === 'rest' && isResting(getItems().get(itemId)));
        const isAlone = (met: number) => listPuts().length >= 2 && listPuts().filter(({ gone }) => !gone).length <= met;
        await time.until(isOver, fault, times, isAlone);
        return getItems().get(itemId);
      },
      /** Fetches the listing's photos from the service. */
      stored: async (): Promise<Buffer[]> => {
        const { imageUrls = [] } = await world.listing(getItems().get(itemId).listingId ?? '');
        return Promise.all((imageUrls ?? []).map(fetchPhoto));
      },
    };
  };

  return {
    world,
    order: orderFault,
    calm: endFaults,
    single: putOne,
    drop: dropPhotos,
    key: readKey,
    /** Advances the companion's clock in steps of 15 seconds and waits for the effects of each step. */
    pass: async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= 15_000) {
        world.clock.advance(Math.min(left, 15_000));
        await waitUntilQuiet();
      }
    },
    close: async (): Promise<void> => {
      await world.close();
      await store.close();
    },
  };
};
