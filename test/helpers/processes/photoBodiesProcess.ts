// A practice service, a companion and its bridge in a separate process, for tests of its memory. Prints its addresses
// as a line of JSON, and for each input line its maximum memory and the number of photo copies.
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { startScene } from '../bridge/scene.ts';

const slots = z.array(z.looseObject({ uploadUrl: z.string() })).min(1);
const firstOf = (answer: unknown): string => slots.parse(answer)[0]?.uploadUrl ?? '';

const scene = await startScene();
const { world, one, other, url } = scene;
const listingId = await scene.draft(one);
const asking = (index: number) => ({ body: { listingId, files: [{ contentType: 'image/jpeg' as const, index }] } });
const photosOf = (id: string): string => `${url}/companion/listings/${id}/photos`;
const ofThePerson = await world.perform('requestUploads', asking(0));
world.companion().assistants.change(one.assistantId, { touches: 'own' });

const say = (fact: unknown): void => void process.stdout.write(`${JSON.stringify(fact)}\n`);
say({
  bridge: url,
  practiceUpload: firstOf(ofThePerson.state === 'done' ? ofThePerson.answer : null),
  upload: firstOf((await one.call('POST', '/listings/upload-url', asking(1))).body),
  photos: photosOf(listingId),
  foreignPhotos: photosOf(await scene.draft(other)),
  token: one.token,
});

const lines = createInterface({ input: process.stdin });
lines.on('line', () => {
  void world
    .companion()
    .disk.use()
    .then(({ copies }) => say({ peakMiB: process.resourceUsage().maxRSS / 1_024, copies }));
});
lines.on('close', () => void scene.close().finally(() => process.exit(0)));
