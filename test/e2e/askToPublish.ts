import type { TestInfo } from 'playwright/test';
import * as z from 'zod';
import { pairAssistant, type Assistant } from './assistant.ts';
import { drawTextlessItem } from './drawItem.ts';
import { expect, type Host } from './host.ts';
import { answerAfterGeneration } from './practiceControl.ts';

const listings = z.object({ listings: z.array(z.looseObject({ listingId: z.string(), title: z.string() })).min(1) });
const requestReply = z.object({ approval: z.object({ id: z.string(), state: z.literal('pending') }) });
const approval = z.object({ approval: z.object({ state: z.string() }) });

/** An item that is ready to publish, and an assistant that may request it. */
export type ItemToPublish = {
  assistant: Assistant;
  listing: { listingId: string; title: string };
  /** Requests the publish and returns the approval's id. */
  requestPublish: () => Promise<string>;
  readApprovalState: (approvalId: string) => Promise<string>;
};

/** Creates an item from photos and pairs an assistant, as the person would. */
export const prepareItemToPublish = async (
  host: Host,
  info: TestInfo,
  { name = 'Tidy Helper', draw = drawTextlessItem } = {},
): Promise<ItemToPublish> => {
  const { page } = host;
  await page.getByRole('button', { name: 'Start with an empty shop' }).click();
  await expect(page.getByRole('region', { name: 'Drop photos here' })).toBeVisible();
  await answerAfterGeneration(page);
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
    requestPublish: async () => {
      const answer = await assistant.call('POST', `/listings/${listing.listingId}/channels/publish`, {});
      expect(answer.status).toBe(202);
      return requestReply.parse(answer.body).approval.id;
    },
    readApprovalState: async (id) =>
      approval.parse((await assistant.call('GET', `/companion/approvals/${id}`)).body).approval.state,
  };
};
