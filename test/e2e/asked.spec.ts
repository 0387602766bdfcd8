import { prepareItemToPublish } from './askToPublish.ts';
import { expect, test } from './host.ts';

test('the person sees an assistant’s request in a prompt and declines it', async ({ host, keep }, info) => {
  const { page } = host;
  const { requestPublish: ask, readApprovalState: stateOf } = await prepareItemToPublish(host, info);
  const approvalId = await ask();

  const prompt = page.getByRole('dialog', { name: /^Publish/ });
  await expect(prompt.getByText('Tidy Helper').first()).toBeVisible();
  await keep('7-asked');
  await prompt.getByRole('button', { name: 'Not now' }).click();
  await page.getByRole('link', { name: 'Approvals, 1 waiting' }).click();
  await page.getByRole('region', { name: 'Waiting for you' }).getByRole('button').first().click();
  await prompt.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: 'The details are wrong' }).click();
  await expect.poll(() => stateOf(approvalId)).toBe('declined');
});
