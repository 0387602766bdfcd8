import type { TestInfo } from 'playwright/test';
import * as z from 'zod';
import { pairAssistant, type Assistant } from './assistant.ts';
import { drawWordless } from './drawItem.ts';
import { expect, type Host } from './host.ts';
import { writeBeforeAnswering } from './practiceControl.ts';

const listings = z.object({ listings: z.array(z.looseObject({ listingId: z.string(), title: z.string() })).min(1) });
const asked = z.object({ approval: z.object({ id: z.string(), state: z.literal('pending') }) });
const approval = z.object({ approval: z.object({ state: z.string() }) });

/** An item that is ready to publish, and an assistant that may request it. */
export type Ready = {
  assistant: Assistant;
  listing: { listingId: string; title: string };
  /** Requests the publish and returns the approval's id. */
  ask: () => Promise<string>;
  stateOf: (approvalId: string) => Promise<string>;
};

/** Creates an item from photos and pairs an assistant, as the person would. */
export const readyToPublish = async (
  host: Host,
  info: TestInfo,
  { name = 'Tidy Helper', draw = drawWordless } = {},
): Promise<Ready> => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await writeBeforeAnswering(page);
  // The tests count notifications, so the notification about the generated listing is turned off.
  await page.evaluate(
    (notify) => {
      const { companion } = window as unknown as { companion: { call: (name: string, input: unknown) => unknown } };
      return companion.call('app.settings', { notify });
    },
    { approvals: true, written: false, sales: false, connection: true },
  );
  const folder = info.outputPath('Canon EOS 250D camera');
  await draw(folder);
  await host.dropFolder(folder);
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });
  const assistant = await pairAssistant(page, await host.bridgeUrl(), name);
  const [listing] = listings.parse((await assistant.call('GET', '/listings')).body).listings;
  if (listing === undefined) throw new Error('There is no listing.');
  return {
    assistant,
    listing,
    ask: async () => {
      const answer = await assistant.call('POST', `/listings/${listing.listingId}/channels/publish`, {});
      expect(answer.status).toBe(202);
      return asked.parse(answer.body).approval.id;
    },
    stateOf: async (id) =>
      approval.parse((await assistant.call('GET', `/companion/approvals/${id}`)).body).approval.state,
  };
};
