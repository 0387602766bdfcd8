import { expect, test } from '../page.ts';

const said = 'The service says it is done, but the listing says otherwise.';

test('the prompt and the item say so if the service reports success but the listing does not show it', async ({
  open,
}) => {
  const page = await open('#/approvals?approval=apr_8', { waiting: ['contradicted'] });
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('status').getByText('The listing says otherwise', { exact: true })).toBeVisible();
  await dialog.getByRole('link', { name: 'Open the item' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/#\/items\/fox/);
  await expect(page.getByText(said)).toContainText('Publish on the US site');
});

test('a prompt about a template has no photo and no struck-out values', async ({ open }) => {
  const page = await open('', { waiting: ['template'] });
  const dialog = page.getByRole('dialog', { name: 'Change a template' });
  await expect(dialog.getByText('not known')).toBeVisible();
  await expect(dialog.locator('del')).toHaveCount(0);
  await expect(dialog.getByText('no photo')).toHaveCount(0);
});
