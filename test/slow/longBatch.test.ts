import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyExportedFile } from '../../src/core/approvals/verify/verifyFile.ts';
import { openProofWindow } from '../helpers/presence/openProofWindow.ts';
import { createSoftwareAuthenticator } from '../helpers/presence/softwareAuthenticator.ts';
import { startWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ person: { plan: 'Scale' } });
});
afterAll(() => world.close());

test('one ceremony covers all ticked rows of a batch of 120 rows', async () => {
  const authenticator = createSoftwareAuthenticator();
  const window = openProofWindow(world);
  window.noteSignIn();
  await window.addPasskey(authenticator);
  const listingIds: string[] = [];
  for (let at = 1; at <= 120; at += 1) listingIds.push((await world.reviewed(`item ${at}`)).listingId);
  const { batchId, rows } = await world.companion().batches.publishListings(listingIds);
  const all = rows.flatMap(({ approval }) => approval ?? []).map(({ approvalId, digest }) => ({ approvalId, digest }));
  window.show(all);
  const unticked = all.slice(60, 62);
  const ticked = all.filter((row) => !unticked.includes(row));
  expect(ticked).toHaveLength(118);
  const input = { batchId, rows: ticked, unticked };
  const { token, page, challenge } = await window.openPage('batch.approve', input);
  if (page.drawn.of !== 'approvals') throw new Error('The page draws approvals.');
  expect(page.drawn.approvals).toHaveLength(118);
  const proofId = await window.presence.confirmWithPasskey(token, authenticator.get({ challenge }));
  const withOneMore = { batchId, rows: [...ticked, ...unticked.slice(0, 1)], unticked: unticked.slice(1) };
  await expect(window.call('batch.approve', withOneMore, proofId)).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
  const withOneLess = { batchId, rows: ticked.slice(1), unticked: [...unticked, ...ticked.slice(0, 1)] };
  await expect(window.call('batch.approve', withOneLess, proofId)).rejects.toMatchObject({ code: 'PROOF_NEEDED' });
  await window.call('batch.approve', input, proofId);
  const states = world
    .companion()
    .batches.readBatch(batchId)
    .rows.map(({ approval }) => approval?.state);
  expect(states.filter((state) => state === 'withdrawn')).toHaveLength(2);
  expect(states.filter((state) => state === 'pending')).toHaveLength(0);
  const [first = all[0]] = ticked;
  const readFirst = () =>
    world
      .companion()
      .batches.readBatch(batchId)
      .rows.find(({ approval }) => approval?.approvalId === first?.approvalId);
  await world.until(() => readFirst()?.approval?.state === 'done');
  const receipt = world.companion().receipts.exportReceipt(first?.approvalId ?? '');
  expect(await verifyExportedFile(Buffer.from(receipt.text), null)).toMatchObject({ whole: true });
}, 300_000);
