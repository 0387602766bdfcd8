import type { Page } from 'playwright/test';
import {
  routeControls,
  windowStates,
  type Control,
  type RouteControls,
  type WindowState,
} from '../../architecture/checklist/screens.ts';
import { routes } from '../../../src/contract/index.ts';
import { getScreenAt } from '../../../src/ipc/screens.ts';
import { drawSample } from '../../helpers/sample.ts';
import { expect, putStatus, test, type Open } from './page.ts';

const findControl = (page: Page, { role, name, inside }: Control) => {
  const roles = ['region', 'form', 'dialog', 'group'] as const;
  const places = roles.map((one) => page.getByRole(one, { name: inside ?? '', exact: true }));
  const [first, ...others] = places;
  const place = inside === undefined || !first ? page.locator('body') : others.reduce((all, one) => all.or(one), first);
  return place.getByRole(role, { name, exact: true });
};

const listPerformedRoutes = (page: Page): Promise<unknown[]> =>
  page.evaluate(() =>
    window.fake.asked
      .filter(({ name }) => name === 'service.perform')
      .map(({ input }) => (input as { route: string }).route),
  );

const routeRows: [string, RouteControls][] = Object.entries(routeControls);
const allStates: [string, WindowState][] = Object.entries(windowStates);

/** The routes that change data. A window may call the other routes at any time. */
const changing = new Set<unknown>(
  Object.entries(routes).flatMap(([route, { method }]) => (method === 'GET' ? [] : [route])),
);

/** Opens the window in the state in which a control is expected. */
const openState = async (open: Open, { screen, hash, scenario = {}, status, types = {}, press = [] }: WindowState) => {
  const page = await open(hash, scenario);
  if (status !== undefined) await putStatus(page, 'lst_fox', status);
  for (const control of press) {
    // A dialog loads when it is first opened; its fields appear together with its button.
    await findControl(page, control).first().waitFor();
    for (const [label, text] of Object.entries(types))
      if (await page.getByLabel(label, { exact: true }).isVisible())
        await page.getByLabel(label, { exact: true }).fill(text);
    await findControl(page, control).first().press('Enter');
  }
  expect(getScreenAt(new URL(page.url()).hash.slice(1)).id).toBe(screen);
  return page;
};

for (const [name, stand] of drawSample('stands', allStates, 8)) {
  test(`every control that the route table lists for “${name}” is visible`, async ({ open }) => {
    const page = await openState(open, stand);
    const here = routeRows.flatMap(([route, place]) =>
      'at' in place && place.at === name ? [{ route, ...place }] : [],
    );
    expect(here, 'a window that no route needs').not.toEqual([]);
    for (const { route, controls, reads } of here) {
      expect(controls, route).not.toEqual([]);
      for (const control of controls)
        await expect
          .soft(findControl(page, control).first(), `${route}: ${control.role} “${control.name}”`)
          .toBeVisible({ timeout: 8_000 });
      if (reads)
        await expect.soft.poll(() => listPerformedRoutes(page), { message: route, timeout: 8_000 }).toContain(route);
    }
  });
}

const asking = routeRows.flatMap(([route, place]) => ('at' in place && place.asks ? [{ route, place }] : []));

for (const { route, place } of drawSample('asking', asking, 10))
  test(`the control of ${route} calls that route and changes nothing else`, async ({ open }) => {
    const [control] = place.controls;
    if (control === undefined) throw new Error(`${route} has no control.`);
    const page = await openState(open, windowStates[place.at]);
    const found = findControl(page, control).first();
    await expect(found).toBeVisible();
    const before = await listPerformedRoutes(page);
    await found.press(control.role === 'switch' ? 'Space' : 'Enter');
    await expect.poll(() => listPerformedRoutes(page)).toContain(route);
    const since = (await listPerformedRoutes(page)).slice(before.length);
    expect(since.filter((one) => changing.has(one) && one !== route)).toEqual([]);
  });
