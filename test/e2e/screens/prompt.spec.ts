import { expect, test } from './page.ts';

const yes = { name: /^Publish/ } as const;

test('the prompt starts on “Not now”, and its yes can be given only after a moment', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const prompt = page.getByRole('dialog', { name: 'Publish on MKT_US' });
  await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
  await page.waitForTimeout(700);
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
  await expect(prompt.getByRole('button', yes)).toBeEnabled({ timeout: 1_500 });
});

test('it shows who asks, the facts, the fees, the reason and the time left', async ({ open }) => {
  const page = await open('', { waiting: ['publish', 'revise', 'end'] });
  const prompt = page.getByRole('dialog', { name: 'Publish on MKT_US' });
  await expect(prompt).toContainText('A name it gave itself');
  for (const text of [
    'US$34.99',
    'accepted by itself from US$30.00',
    'Insertion fee',
    'Total fees',
    'The assistant’s own words',
  ])
    await expect(prompt).toContainText(text);
  await expect(prompt.getByRole('row', { name: 'Total fees US$1.55' })).toBeVisible();
  await expect(prompt).toContainText('2 more wait after this one');
  await expect(prompt).toContainText(/2[67] min left/);
});

test('a click outside does nothing, Esc leaves the question pending', async ({ open }) => {
  const page = await open('#/approvals', { waiting: ['publish'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt).toBeVisible();
  await page.mouse.click(20, 400);
  await expect(prompt).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(prompt).toBeHidden();
  await expect(page.getByRole('region', { name: 'Waiting for you' }).getByRole('listitem')).toHaveCount(1);
  const asked = await page.evaluate(() => window.fake.asked.map(({ name }) => name));
  expect(asked.filter((name) => name === 'approvals.approve' || name === 'approvals.decline')).toEqual([]);
});

test('a yes sends the id and the digest, once, and shows what came of it', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const prompt = page.getByRole('dialog');
  await prompt.getByRole('button', yes).click();
  await expect(prompt.getByRole('link', { name: 'Open listing' })).toHaveAttribute(
    'href',
    'https://market.example/listing/12',
  );
  const sent = await page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'approvals.approve'));
  expect(sent).toEqual([{ name: 'approvals.approve', input: { approvalId: 'apr_1', digest: 'digest-1' } }]);
});

test('what no longer holds is replaced in place, says what changed, and needs a new yes', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const prompt = page.getByRole('dialog');
  await page.evaluate(() => {
    const { fake } = window;
    fake.onApprove = (old) => {
      const next = {
        ...old,
        approvalId: 'apr_9',
        digest: 'digest-9',
        shownAt: Date.now(),
        sinceShown: [{ label: 'Fee', before: 'US$1.55', after: 'US$2.10' }],
        prompt: { ...old.prompt, yes: 'Publish for US$2.10' },
      };
      fake.approvals = [...fake.approvals, next];
      return { ...old, state: 'superseded', supersededBy: 'apr_9' };
    };
  });
  await prompt.getByRole('button', { name: 'Publish for US$1.55' }).click();
  await expect(prompt.getByRole('alert')).toContainText('Changed since you looked');
  await expect(prompt.getByRole('button', { name: 'Publish for US$2.10' })).toBeDisabled();
  await expect(prompt.getByRole('button', { name: 'Not now' })).toBeFocused();
  await expect(prompt.getByRole('button', { name: 'Publish for US$2.10' })).toBeEnabled({ timeout: 2_000 });
});

test('a prompt that changes under the pointer takes its yes back', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const button = page.getByRole('dialog').getByRole('button', yes);
  await expect(button).toBeEnabled();
  await page.evaluate(() => {
    const { fake } = window;
    fake.approvals = fake.approvals.map((one) => ({ ...one, digest: 'digest-1b', shownAt: Date.now() }));
    fake.changed('approvals');
  });
  await expect(button).toBeDisabled();
  await expect(button).toBeEnabled({ timeout: 2_000 });
});

test('hidden characters are written out and mixed alphabets flagged', async ({ open }) => {
  const page = await open('', { waiting: ['revise'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt).toContainText('‹U+202E›evil‹U+202C›');
  await expect(prompt).toContainText('38‹U+200B› Running');
  await expect(prompt).toContainText('Mixed alphabets');
  await expect(prompt.locator('ins').first()).toHaveText('€49.00');
});

test('declining names a reason', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: /I did not ask for this/ }).click();
  await expect(page.getByRole('dialog')).toContainText('You declined');
  const sent = await page.evaluate(() => window.fake.asked.find(({ name }) => name === 'approvals.decline'));
  expect(sent?.input).toEqual({ approvalId: 'apr_1', digest: 'digest-1', why: 'not_asked_for' });
});

test('a question that comes while a field is edited waits in a line at the top', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByLabel('Title', { exact: true }).focus();
  await page.evaluate(() => {
    window.fake.approvals = [window.fake.publish()];
    window.fake.changed('approvals');
  });
  await expect(page.getByText('Garage helper is waiting for your answer')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Publish on MKT_US' })).toBeVisible();
});
