import * as z from 'zod';
import { pairAssistant } from './assistant.ts';
import { drawItem } from './drawItem.ts';
import { appOf, expect, test, type Host } from './host.ts';

const listings = z.object({ listings: z.array(z.object({ listingId: z.string() })).min(1) });
const asked = z.object({ approval: z.object({ id: z.string(), state: z.literal('pending') }) });

/** Hides the window and keeps what is shown outside of it, where there is an outside. */
const hideWindow = async (host: Host): Promise<void> => {
  await appOf(host)?.evaluate(({ BrowserWindow, Notification }) => {
    const shown: object[] = [];
    Object.assign(globalThis, { shown });
    Notification.prototype.show = function show(this: object) {
      shown.push(this);
    };
    BrowserWindow.getAllWindows()[0]?.hide();
  });
};

/** Clicks on the notification, and answers its title and whether the window has come back. */
const clickNotification = (host: Host) =>
  appOf(host)?.evaluate(({ BrowserWindow }) => {
    const { shown } = globalThis as unknown as { shown: (NodeJS.EventEmitter & { title: string })[] };
    shown[0]?.emit('click');
    return { count: shown.length, title: shown[0]?.title, visible: BrowserWindow.getAllWindows()[0]?.isVisible() };
  });

test('what an assistant asks for waits for the person, who says no', async ({ host, keep }, info) => {
  const { page } = host;
  await page.getByRole('button', { name: 'Try it with practice data' }).click();
  const folder = info.outputPath('Canon EOS 250D camera');
  await drawItem(folder, ['Canon', 'EOS 250D']);
  await host.dropFolder(folder);
  await expect(page.getByRole('listitem', { name: /review/i })).toBeVisible({ timeout: 60_000 });

  const assistant = await pairAssistant(page, await host.bridgeUrl(), 'Tidy Helper');
  const [listing] = listings.parse((await assistant.call('GET', '/listings')).body).listings;
  await hideWindow(host);
  const publish = await assistant.call('POST', `/listings/${listing?.listingId ?? ''}/channels/publish`, {});
  expect(publish.status).toBe(202);
  const { approval } = asked.parse(publish.body);

  const outside = await clickNotification(host);
  if (outside) {
    expect(outside.title).toContain('Tidy Helper asks');
    expect(outside).toMatchObject({ count: 1, visible: true });
  }

  const prompt = page.getByRole('dialog', { name: /^Publish/ });
  await expect(prompt.getByText('Tidy Helper').first()).toBeVisible();
  await keep('7-asked');
  await prompt.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: 'The details are wrong' }).click();
  await expect
    .poll(async () => (await assistant.call('GET', `/companion/approvals/${approval.id}`)).body)
    .toMatchObject({ approval: { state: 'declined' } });
});
