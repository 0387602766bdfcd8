import { expect, test } from '../page.ts';

const yes = { name: /^Publish/ } as const;

test('a prompt focuses “Not now” and enables its approve button 1.2 s after it is painted', async ({ open }) => {
  const page = await open('', {});
  await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => {
    window.fake.approvals = [window.fake.publish()];
    window.fake.changed('approvals');
  });
  // From here on the clock runs only with `runFor`; the companion replies within a few milliseconds.
  const prompt = page.getByRole('dialog', { name: 'Publish on the US site' });
  await expect
    .poll(async () => {
      await page.clock.runFor(10);
      return prompt.locator(':focus').allInnerTexts();
    })
    .toEqual(['Not now']);
  // The delay starts when the prompt is painted and the companion knows it.
  await expect
    .poll(async () => {
      await page.clock.runFor(10);
      return page.evaluate(() => window.fake.answered.includes('approvals.shown'));
    })
    .toBe(true);
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
  // The shortcut does not approve either, and does not press “Not now”, which has the focus.
  await page.keyboard.press('Control+Enter');
  await page.clock.runFor(900);
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
  await page.clock.runFor(350);
  await expect(prompt.getByRole('button', yes)).toBeEnabled();

  // A page behind another window counts as visible. When it comes to the front under the pointer, it must not receive a
  // click meant for the other window.
  const setFocus = (hasFocus: boolean) =>
    page.evaluate((isFocused) => {
      document.hasFocus = () => isFocused;
      window.dispatchEvent(new Event(isFocused ? 'focus' : 'blur'));
    }, hasFocus);
  await setFocus(false);
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
  await page.clock.runFor(5_000);
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
  await setFocus(true);
  await page.clock.runFor(900);
  await expect(prompt.getByRole('button', yes)).toBeDisabled();
  await page.clock.runFor(400);
  await expect(prompt.getByRole('button', yes)).toBeEnabled();
  expect(await page.evaluate(() => window.fake.asked.some(({ name }) => name === 'approvals.approve'))).toBe(false);
});

test('a prompt shows the asker, the listing, the fees, the reason and the time left', async ({ open }) => {
  const page = await open('', { waiting: ['publish', 'revise', 'end'] });
  const prompt = page.getByRole('dialog', { name: 'Publish on the US site' });
  await expect(prompt).toContainText('A name it gave itself');
  for (const text of ['US$34.99', 'Auto-accept from', 'Insertion fee', 'Total fees', 'The assistant’s own words'])
    await expect(prompt).toContainText(text);
  await expect(prompt.getByRole('row', { name: 'Total fees US$1.55' })).toBeVisible();
  await expect(prompt).toContainText('2 more are waiting after this one');
  await expect(prompt).toContainText(/2[67] min left/);
});

test('a prompt shows the asker first and the time left last', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const text = (await page.getByRole('dialog').textContent()) ?? '';
  const order = [
    'Garage helper asks',
    'The assistant’s own words',
    'Publish on the US site',
    'goes live at once',
    'Vintage Red Fox',
    'US$34.99',
    'Total fees',
    'The listing can be ended later',
    'min left',
    'Not now',
  ].map((words) => text.indexOf(words));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('a prompt shows all photos that belong to the approval, and each can be enlarged', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const photos = page.getByRole('dialog').getByRole('region', { name: 'Photos that go with it' });
  await expect(photos.getByRole('button')).toHaveCount(5);
  await photos.getByRole('button', { name: 'Photo 2 of 5' }).click();
  await expect(photos.getByRole('img', { name: 'Photo 2 of 5' })).toHaveAttribute('src', /bound-photos\/[0-9a-f]{64}$/);
  await photos.getByRole('button', { name: 'Photo 2 of 5' }).press('Enter');
  await expect(photos.getByRole('img', { name: 'Photo 2 of 5' })).toHaveCount(0);
});

test('a prompt shows names chosen by others in a separate group', async ({ open }) => {
  const page = await open('', { waiting: ['masked'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt).toContainText('Another assistant has a similar name: Garage heIper');
  const specifics = prompt.getByRole('region', { name: 'Item specifics (named in the listing)' });
  await expect(specifics.getByRole('term')).toHaveText([
    'Marketplace fees',
    /Mixed alphabets in “Mаterial”/,
    'Price',
    'Site',
    'Title',
  ]);
  await expect(specifics.getByRole('definition').nth(1)).toHaveText('Ceramic‹U+E0001›‹U+200B›');
  // The companion's own facts are outside this group and unchanged.
  await expect(prompt.getByRole('term').first()).toHaveText('Price');
  await expect(prompt.getByRole('definition').first()).toHaveText('US$34.99');
});

test('a prompt can show the whole listing to its last character', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  const rest = page.getByRole('dialog').getByRole('region', { name: 'Everything else in the listing' });
  await expect(rest.getByRole('term')).toHaveCount(0);
  await rest.getByRole('button', { name: 'Show all (4)' }).press('Enter');
  await rest.getByRole('button', { name: /^Show all \d+ characters/ }).press('Enter');
  await expect(rest).toContainText('<p>The very last words.</p>');
});

test('a prompt can show a long change to its last character', async ({ open }) => {
  const page = await open('', { waiting: ['revise'] });
  const row = page.getByRole('row', { name: /^Description/ });
  await expect(row.locator('ins')).toHaveText(['without', 'a']);
  await row
    .getByRole('button', { name: /^Show all \d+ characters/ })
    .last()
    .press('Enter');
  const after = (await row.getByRole('cell').last().textContent()) ?? '';
  expect(after.length).toBeGreaterThan(3_700);
  expect(after).toContain('They come without a box.');
});

test('a prompt shows removed values and marks unknown fields', async ({ open }) => {
  const page = await open('', { waiting: ['revise'] });
  await expect(
    page
      .getByRole('row', { name: /^Item specifics/ })
      .getByRole('cell')
      .last(),
  ).toHaveText('everything in it is removed');
  const foreign = page.getByRole('row', { name: /^Unknown field “Price”/ });
  await expect(foreign).toContainText('US$1.00');
});

test('Escape withdraws an approval that the person requested', async ({ open }) => {
  const page = await open('', { waiting: ['end'] });
  const prompt = page.getByRole('dialog', { name: 'End the live listing' });
  await expect(prompt).toContainText('This cannot be undone.');
  await page.keyboard.press('Escape');
  await expect(prompt).toBeHidden();
  await expect
    .poll(() => page.evaluate(() => window.fake.asked.find(({ name }) => name === 'approvals.decline')?.input))
    .toEqual({ approvalId: 'apr_3', digest: 'digest-3', why: 'no' });
});

test('an approval that the person opens during a prompt is shown after that prompt', async ({ open }) => {
  const page = await open('#/approvals', { waiting: ['publish', 'end'] });
  await expect(page.getByRole('dialog', { name: 'Publish on the US site' })).toBeVisible();
  await page.evaluate(() => (window.location.hash = '#/approvals?approval=apr_3'));
  await expect(page).toHaveURL(/#\/approvals$/);
  await expect(page.getByRole('dialog', { name: 'Publish on the US site' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'End the live listing' })).toBeVisible();
});

test('Escape and a click outside the prompt leave an assistant’s approval pending', async ({ open }) => {
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

test('the approve button sends the id and the digest once', async ({ open }) => {
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

test('Ctrl+Enter approves once, and only while the approve button is enabled', async ({ open }) => {
  const page = await open('', { waiting: ['publish', 'revise'] });
  const prompt = page.getByRole('dialog');
  const answered = () =>
    page.evaluate(() => window.fake.asked.filter(({ name }) => name === 'approvals.approve').map(({ input }) => input));
  await expect(prompt.getByRole('button', yes)).toBeEnabled();
  // In the menu of reasons, Ctrl+Enter does not approve.
  await prompt.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: 'The details are wrong' }).focus();
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(prompt.getByRole('button', yes)).toBeVisible();
  expect(await answered()).toEqual([]);

  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  const next = prompt.getByRole('button', { name: 'Next (1 left)' });
  await expect(next).toBeFocused();
  // A held Enter key answers nothing else and does not open the next prompt.
  for (let at = 0; at < 5; at += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Control');
  for (let at = 0; at < 5; at += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(next).toBeFocused();
  expect(await answered()).toEqual([{ approvalId: 'apr_1', digest: expect.any(String) }]);
});

test('a late reply does not replace the next prompt', async ({ open }) => {
  const page = await open('', { waiting: ['publish', 'revise'] });
  await page.evaluate(() => {
    const { companion } = window;
    if (!companion) throw new Error('There is no companion.');
    const { call } = companion;
    companion.call = async (name, input) => {
      const answer = await call(name, input);
      // The change event arrives before the reply to the call.
      if (name === 'approvals.approve') {
        window.fake.changed('approvals');
        await new Promise((resolve) => window.addEventListener('answer', resolve));
        requestAnimationFrame(() => requestAnimationFrame(() => document.body.setAttribute('data-answered', '')));
      }
      return answer;
    };
  });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', yes)).toBeEnabled();
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('button', { name: 'Next (1 left)' }).press('Enter');
  const next = page.getByRole('dialog', { name: 'Change the live listing' });
  await expect(next.getByRole('button', { name: 'Not now' })).toBeFocused();
  await page.evaluate(() => window.dispatchEvent(new Event('answer')));
  await expect(page.locator('body')).toHaveAttribute('data-answered', '');
  await expect(next).toBeVisible();
});

test('a stale prompt is replaced by a prompt that shows what changed', async ({ open }) => {
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
        sinceShown: [{ key: 'fee', label: 'Fee', before: 'US$1.55', after: 'US$2.10' }],
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

test('a prompt whose content changes disables its approve button for a moment', async ({ open }) => {
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

test('a prompt shows hidden characters and flags mixed alphabets', async ({ open }) => {
  const page = await open('', { waiting: ['revise'] });
  const prompt = page.getByRole('dialog');
  await expect(prompt).toContainText('‹U+202E›evil‹U+202C›');
  await expect(prompt).toContainText('38‹U+200B› Running');
  await expect(prompt).toContainText('Mixed alphabets');
  await expect(prompt.getByRole('row', { name: /^Price/ }).locator('ins')).toHaveText('€49.00');
});

test('a declined approval is sent with the chosen reason', async ({ open }) => {
  const page = await open('', { waiting: ['publish'] });
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('menuitem', { name: /I did not ask for this/ }).click();
  await expect(page.getByRole('dialog')).toContainText('You declined');
  const sent = await page.evaluate(() => window.fake.asked.find(({ name }) => name === 'approvals.decline'));
  expect(sent?.input).toEqual({ approvalId: 'apr_1', digest: 'digest-1', why: 'not_asked_for' });
});

test('an approval marked as quiet appears in a banner and opens no prompt', async ({ open }) => {
  const page = await open('#/listings', {});
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await page.evaluate(() => {
    window.fake.approvals = [{ ...window.fake.publish(), quiet: true }];
    window.fake.state = { ...window.fake.state, waitingApprovals: 1 };
    window.fake.changed('approvals');
    window.fake.changed('app');
  });
  await expect(page.getByRole('status').filter({ hasText: 'Garage helper asks' })).toBeVisible();
  await expect(page.getByRole('link', { name: /^Approvals.*1/ })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Another, normal approval opens a prompt; the quiet approval still waits.
  await page.evaluate(() => {
    window.fake.approvals = [...window.fake.approvals, { ...window.fake.publish(), approvalId: 'apr_loud' }];
    window.fake.changed('approvals');
  });
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const prompt = page.getByRole('dialog', { name: 'Publish on the US site' });
  // The quiet approval belongs to the practice assistant, which was named by the program.
  await expect(prompt).toContainText('Came with the practice shop');
  await expect(prompt).not.toContainText('A name it gave itself');
});

test('an approval that arrives during editing appears in a banner', async ({ open }) => {
  const page = await open('#/items/fox', {});
  await page.getByLabel('Title', { exact: true }).focus();
  await page.evaluate(() => {
    window.fake.approvals = [window.fake.publish()];
    window.fake.changed('approvals');
  });
  await expect(page.getByRole('status').filter({ hasText: 'Garage helper asks' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'Publish on the US site' })).toBeVisible();
});

test('Tab moves through a prompt in visual order', async ({ open }) => {
  const page = await open('#/approvals', { waiting: ['publish'] });
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Not now' })).toBeFocused();
  const outOfOrder = await page.getByRole('dialog').evaluate((dialog) => {
    const focusable = [...dialog.querySelectorAll<HTMLElement>('button, a[href], summary, input')];
    // The prompt's body scrolls behind its buttons, so each part has its own order.
    const inBody = (one: Element): boolean => one.closest('[tabindex="0"]') !== null;
    return focusable.filter((one, at) => {
      const before = focusable[at - 1];
      if (!before || inBody(before) !== inBody(one)) return false;
      const [was, is] = [before.getBoundingClientRect(), one.getBoundingClientRect()];
      // Below the previous element, or to its right in the same line.
      return !(is.top >= was.bottom || (is.bottom > was.top && is.left >= was.right));
    }).length;
  });
  expect(outOfOrder).toBe(0);
});

test('after an answer the focus is on the button for the next approval', async ({ open }) => {
  const page = await open('#/approvals', { waiting: ['publish', 'revise'] });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: /^Publish for/ })).toBeEnabled();
  await dialog.getByRole('button', { name: /^Publish for/ }).press('Enter');
  const next = dialog.getByRole('button', { name: /^Next/ });
  await expect(next).toBeFocused();
  await next.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Change the live listing' })).toBeVisible();
});

test('the banner and the sidebar count the same pending approvals', async ({ open }) => {
  const page = await open('#/items/fox', { waiting: ['revise'], batches: ['assistant'] });
  await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).press('Enter');
  await page.getByLabel('Title', { exact: true }).focus();
  await page.evaluate(() => {
    window.fake.approvals = [...window.fake.approvals, window.fake.publish()];
    window.fake.changed('approvals');
  });
  await expect(page.getByRole('link', { name: 'Approvals, 3 waiting' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /asks/ })).toContainText('and 2 more');
});

test('field names in a German prompt stay on one line', async ({ open }) => {
  const page = await open('', { waiting: ['publish'], language: 'de' });
  const name = page.getByRole('dialog').getByText('Zustandsbeschreibung', { exact: true });
  await expect(name).toBeAttached();
  const lines = await name.evaluate((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
});
