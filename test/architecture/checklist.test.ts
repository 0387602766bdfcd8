import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { operationCodes, publishRefusals, routeNames, getRouteByName } from '../../src/contract/index.ts';
import { screenIds } from '../../src/ipc/screens.ts';
import { checklist } from './checklist.ts';
import { routeControls, windowStates, type RouteControls } from './checklist/screens.ts';
import { readInterfaceRows } from './readInterfaceRows.ts';

const document = fileURLToPath(new URL('../../../shared/spec/listing-assistant-interface.md', import.meta.url));
const hasDocument = existsSync(document);
if (!hasDocument) console.log('The interface document is not beside the project: its rows are not compared.');

const containsTitle = (text: string, name: string): boolean =>
  [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => text.includes(`(${quoted}`));

const sources = new Map<string, string>();
const readTestSource = (file: string): string => {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const path = fileURLToPath(new URL(`../flows/practice/${file}.test.ts`, import.meta.url));
  // The formatter may put a test's name on its own line.
  const text = existsSync(path) ? readFileSync(path, 'utf8').replace(/\(\s+/g, '(') : '';
  sources.set(file, text);
  return text;
};

const proofs = Object.entries(checklist).flatMap(([key, row]) =>
  'duty' in row
    ? []
    : Object.entries(row.proof).flatMap(([file, tests]) =>
        [tests].flat().map((name) => ({ key: `${key} (${row.about})`, file, name })),
      ),
);

describe('the checklist of the interface', () => {
  test('every test that the checklist names exists', () => {
    const missing = proofs.filter(({ file, name }) => !containsTitle(readTestSource(file), name));
    expect(missing).toEqual([]);
  });

  test('every row of the checklist has a test or a reason for having none', () => {
    for (const [key, row] of Object.entries(checklist))
      expect('duty' in row ? row.duty : Object.keys(row.proof), key).not.toHaveLength(0);
  });

  test('every error code of the contract is in the checklist', () => {
    const keys = Object.keys(checklist);
    const codes = new Set([...Object.values(operationCodes).flat(), ...publishRefusals]);
    for (const code of codes)
      expect(
        keys.some((key) => key.endsWith(` ${code}`)),
        code,
      ).toBe(true);
  });

  test.runIf(hasDocument)('the checklist has exactly the rows of the interface document', () => {
    const rows = readInterfaceRows(readFileSync(document, 'utf8')).map(({ key }) => key);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(90);
    expect(Object.keys(checklist).sort()).toEqual([...rows].sort());
  });
});

describe('the table of routes and their controls', () => {
  const places: [string, RouteControls][] = Object.entries(routeControls);

  test('every route has controls on an existing screen, or a reason for having none', () => {
    expect(places.map(([route]) => route).sort()).toEqual([...routeNames].sort());
    for (const [route, place] of places)
      if ('none' in place) expect(place.none.split(' ').length, route).toBeGreaterThan(6);
      else {
        expect(screenIds, route).toContain(windowStates[place.at].screen);
        expect(place.controls, route).not.toEqual([]);
        expect(
          place.controls.every(({ name }) => name.trim() !== ''),
          route,
        ).toBe(true);
      }
  });

  test('every route that needs approval has a control, except a duplicate checkout route', () => {
    const without = places.flatMap(([route, place]) => ('none' in place ? [route] : []));
    expect(routeNames.filter((name) => without.includes(name) && getRouteByName(name).askFirst)).toEqual([
      'createCheckout',
    ]);
  });
});
