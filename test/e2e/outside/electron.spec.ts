import { join } from 'node:path';
import type { ElectronApplication } from 'playwright';
import type { TestInfo } from 'playwright/test';
import * as z from 'zod';
import { minDwellMs } from '../../../src/core/presence/windowSessions.ts';
import { prepareItemToPublish } from '../askToPublish.ts';
import { drawItem } from '../drawItem.ts';
import { findElectronApp, artefacts, expect, test, type Host } from '../host.ts';
import { callInWindow, controlPractice } from '../practiceControl.ts';
import { watchOutside } from './watchOutside.ts';

/** These tests run only in the Electron project: a browser has neither a tray nor notification buttons. */
const requireElectronApp = (host: Host): ElectronApplication => {
  const app = findElectronApp(host);
  if (app === null) throw new Error('This host is not Electron.');
  return app;
};

test('a pending approval is shown in a notification and approved in the review window', async ({ host }, info) => {
  const app = requireElectronApp(host);
  const { requestPublish: ask, readApprovalState: stateOf, listing } = await prepareItemToPublish(host, info);
  const outside = await watchOutside(app);
  const approvalId = await ask();

  await expect.poll(async () => (await outside.now()).badge).toBe(1);
  const { notifications, toolTip, menu } = await outside.now();
  expect(notifications).toHaveLength(1);
  expect(notifications[0]?.title).toMatch(/^Tidy Helper asks: Publish on the US site$/);
  expect(notifications[0]?.body).toContain(listing.title);
  expect(notifications[0]?.body).toMatch(/· (US\$|£|€)[\d.,]+ · Publish (for (US\$|£|€)[\d.,]+|free)/);
  expect(notifications[0]?.buttons).toEqual(['Review', 'Not now']);
  expect(toolTip).toContain('1 request is waiting');
  expect(menu[1]).toContain(listing.title.slice(0, 20));

  // "Not now" closes the notification and answers nothing.
  await outside.press('Not now');
  expect((await outside.now()).notifications[0]?.closed).toBe(true);
  expect(await stateOf(approvalId)).toBe('pending');
  expect(await outside.windows()).toHaveLength(1);

  // The tray still lists the approval and opens the review window; its approve button publishes once.
  const [review] = await Promise.all([app.waitForEvent('window'), outside.choose(approvalId)]);
  const prompt = review.getByRole('dialog', { name: /^Publish/ });
  await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
  expect(await outside.windows()).toContainEqual(
    expect.objectContaining({
      title: 'Review – Listing Companion',
      onTop: true,
      width: 520,
      height: 760,
      visible: true,
    }),
  );
  await outside.choose('waiting');
  expect(await outside.windows()).toHaveLength(2);
  await review.screenshot({ path: join(artefacts, 'electron-8-review.png') });
  await prompt.getByRole('button', { name: /^Publish (for|free)/ }).dblclick();
  const result = review.getByRole('dialog', { name: /^Live on/ });
  await expect(result).toBeVisible();
  expect(await stateOf(approvalId)).toBe('done');
  await expect.poll(async () => (await outside.now()).badge).toBe(0);
  expect((await outside.now()).menu).not.toContain(menu[1]);

  // The result stays until the person closes it, which also closes the review window.
  expect(await outside.windows()).toHaveLength(2);
  await result.getByRole('button', { name: 'Close' }).click();
  await expect.poll(async () => (await outside.windows()).length).toBe(1);
  expect((await outside.now()).notifications).toHaveLength(1);
  const evidence = await readEvidence(host, approvalId);
  expect(evidence).toMatchObject({ way: 'compact', drawnAs: 'prompt' });
  expect(evidence.dwellMs).toBeGreaterThanOrEqual(minDwellMs);
});

test('the review window closes when its approval is answered in the main window', async ({ host }, info) => {
  const app = requireElectronApp(host);
  const { requestPublish: ask, readApprovalState: stateOf } = await prepareItemToPublish(host, info);
  const outside = await watchOutside(app);
  const approvalId = await ask();
  await expect.poll(async () => (await outside.now()).notifications.length).toBe(1);

  // "Review" opens the review window; "Not now" in it leaves the approval pending.
  const [first] = await Promise.all([app.waitForEvent('window'), outside.press('Review')]);
  await first
    .getByRole('dialog', { name: /^Publish/ })
    .getByRole('button', { name: 'Not now' })
    .click();
  await expect.poll(async () => (await outside.windows()).length).toBe(1);
  expect(await stateOf(approvalId)).toBe('pending');
  expect((await outside.now()).badge).toBe(1);

  const [second] = await Promise.all([app.waitForEvent('window'), outside.clickNotification()]);
  await expect(second.getByRole('dialog', { name: /^Publish/ })).toBeVisible();
  const prompt = host.page.getByRole('dialog', { name: /^Publish/ });
  await prompt.getByRole('button', { name: 'Decline' }).click();
  await host.page.getByRole('menuitem', { name: 'No', exact: true }).click();
  await expect.poll(async () => (await outside.windows()).length).toBe(1);
  expect(await stateOf(approvalId)).toBe('declined');
  expect(await outside.now()).toMatchObject({ badge: 0, toolTip: 'Listing Companion. Nothing is waiting for you' });
});

test('a notification closes when its approval is answered in the window', async ({ host }, info) => {
  const { requestPublish: ask, readApprovalState: stateOf } = await prepareItemToPublish(host, info);
  const outside = await watchOutside(requireElectronApp(host));
  const approvalId = await ask();
  await expect.poll(async () => (await outside.now()).notifications[0]?.closed).toBe(false);
  const prompt = host.page.getByRole('dialog', { name: /^Publish/ });
  await prompt.getByRole('button', { name: /^Publish (for|free)/ }).click();
  await expect.poll(() => stateOf(approvalId)).toBe('done');
  await expect.poll(async () => (await outside.now()).notifications[0]?.closed).toBe(true);
  expect(await outside.now()).toMatchObject({ badge: 0, notifications: [{ closed: true }] });
});

test('a notification closes when the assistant withdraws its request', async ({ host }, info) => {
  const { requestPublish: ask, readApprovalState: stateOf, assistant } = await prepareItemToPublish(host, info);
  const outside = await watchOutside(requireElectronApp(host));
  const approvalId = await ask();
  await expect.poll(async () => (await outside.now()).notifications[0]?.closed).toBe(false);
  expect((await assistant.call('DELETE', `/companion/approvals/${approvalId}`)).status).toBeLessThan(300);
  await expect.poll(async () => (await outside.now()).notifications[0]?.closed).toBe(true);
  expect(await stateOf(approvalId)).toBe('withdrawn');
  expect((await outside.now()).badge).toBe(0);
});

test('a notification closes when its request can no longer be approved', async ({ host }, info) => {
  const { requestPublish: ask, assistant } = await prepareItemToPublish(host, info);
  const outside = await watchOutside(requireElectronApp(host));
  await ask();
  await expect.poll(async () => (await outside.now()).notifications[0]?.closed).toBe(false);
  await expect.poll(async () => (await outside.now()).badge).toBe(1);
  const offMarket = { method: 'GET', path: '/market/status', times: 100, body: { connected: false } };
  await controlPractice(host.page, '/faults', offMarket);
  expect((await assistant.call('GET', '/market/status')).status).toBe(200);
  await expect.poll(async () => (await outside.now()).notifications[0]?.closed).toBe(true);
  expect(await outside.now()).toMatchObject({ badge: 0, toolTip: 'Listing Companion. Nothing is waiting for you' });
});

const exported = z.object({ value: z.object({ text: z.string() }) });
const exportedReceipt = z.object({
  answer: z.object({ evidence: z.object({ way: z.string(), drawnAs: z.string(), dwellMs: z.number() }) }),
});

/** Returns how the receipt of an approval says that the yes was given. */
const readEvidence = async ({ page }: Host, approvalId: string) => {
  const { text } = exported.parse(await callInWindow(page, 'receipts.export', { approvalId })).value;
  return exportedReceipt.parse(JSON.parse(text)).answer.evidence;
};

/** Prepares an item whose notification gets a button to publish, and requests its publish. */
const requestPublishWithButton = async (host: Host, info: TestInfo, { areDrawn }: { areDrawn: boolean }) => {
  const app = requireElectronApp(host);
  const draw = (folder: string): Promise<void> => drawItem(folder, ['Canon', 'EOS 250D']);
  const { requestPublish, readApprovalState, listing } = await prepareItemToPublish(host, info, { draw });
  await host.page.evaluate(async (listingId) => {
    const { companion } = window as unknown as {
      companion: { call: (name: string, input: unknown) => Promise<unknown> };
    };
    await companion.call('app.settings', { publishFromNotificationMinor: 500 });
    // The notification must contain every fact.
    const body = { description: 'A camera', conditionDescription: '', itemSpecifics: { Brand: 'Canon' } };
    await companion.call('service.perform', { route: 'updateListing', input: { params: { listingId }, body } });
    const input = { params: { listingId }, body: { action: 'confirm', marketplaceId: 'MKT_US' } };
    await companion.call('service.perform', { route: 'quoteFees', input });
  }, listing.listingId);
  const notice = host.page.getByRole('dialog', { name: /^Agree to the fee notice/ });
  await notice.getByRole('button', { name: 'Agree to the fee notice' }).click();
  await host.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const outside = await watchOutside(app);
  if (!areDrawn) await outside.hideNotifications();
  const approvalId = await requestPublish();
  return { app, outside, approvalId, readState: () => readApprovalState(approvalId) };
};

test('a listing is published from a notification if the settings allow its fee', async ({ host }, info) => {
  const { app, outside, approvalId, readState } = await requestPublishWithButton(host, info, { areDrawn: true });
  await expect.poll(async () => (await outside.now()).notifications.length).toBe(1);
  const shownAt = Date.now();
  const [yes = ''] = (await outside.now()).notifications[0]?.buttons ?? [];
  expect(yes).toMatch(/^Publish (for US\$[\d.]+|free)$/);
  // If the system does not report which button was pressed, the prompt opens and nothing is approved.
  const [review] = await Promise.all([app.waitForEvent('window'), outside.press('no such button')]);
  await expect(review.getByRole('dialog', { name: /^Publish/ })).toBeVisible();
  expect(await readState()).toBe('pending');
  await expect.poll(() => Date.now() - shownAt).toBeGreaterThan(minDwellMs);
  await outside.press(yes);
  await expect.poll(readState).toBe('done');
  await expect.poll(async () => (await outside.now()).notifications.at(-1)?.body).toContain('The listing is live');
  expect(await readEvidence(host, approvalId)).toMatchObject({ way: 'notification', drawnAs: 'prompt' });
});

test('a press in a notification that the desktop did not report as shown opens the review', async ({ host }, info) => {
  const { app, outside, readState } = await requestPublishWithButton(host, info, { areDrawn: false });
  await expect.poll(async () => (await outside.now()).notifications.length).toBe(1);
  const [yes = ''] = (await outside.now()).notifications[0]?.buttons ?? [];
  const [review] = await Promise.all([app.waitForEvent('window'), outside.press(yes)]);
  await expect(review.getByRole('dialog', { name: /^Publish/ })).toBeVisible();
  expect(await readState()).toBe('pending');
});

test('the review window shows its prompt again after a crash of its page', async ({ host }, info) => {
  const app = requireElectronApp(host);
  const { requestPublish: ask, readApprovalState: stateOf } = await prepareItemToPublish(host, info);
  const outside = await watchOutside(app);
  const approvalId = await ask();
  await expect.poll(async () => (await outside.now()).notifications.length).toBe(1);
  const [review] = await Promise.all([app.waitForEvent('window'), outside.press('Review')]);
  await expect(review.getByRole('dialog', { name: /^Publish/ })).toBeVisible();

  // Playwright loses control of a page that has crashed.
  const inReview = (script: string): Promise<unknown> =>
    app.evaluate(async ({ BrowserWindow }, text) => {
      const window = BrowserWindow.getAllWindows().find((one) => one.getTitle().startsWith('Review'));
      const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), 1_000));
      const answered = window?.webContents.executeJavaScript(text).catch(() => null) as Promise<unknown>;
      return Promise.race([answered, late]);
    }, script);
  await inReview('globalThis.isOld = true');
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find((one) => one.getTitle().startsWith('Review'))
      ?.webContents.forcefullyCrashRenderer(),
  );
  const dialog = `document.querySelector('[role=dialog]')`;
  await expect.poll(() => inReview(`!('isOld' in globalThis) && ${dialog} !== null`)).toBe(true);

  // "Not now" still closes the window.
  await inReview(`[...${dialog}.querySelectorAll('button')].find((one) => one.textContent === 'Not now').click()`);
  await expect.poll(async () => (await outside.windows()).length).toBe(1);
  expect(await stateOf(approvalId)).toBe('pending');
});
