import { expect, test } from 'vitest';
import { startWorld } from '../../helpers/world.ts';

test('the contact sheet is released when the last window has been closed for a minute, and read again', async () => {
  let collections = 0;
  const world = await startWorld({ collectGarbage: () => (collections += 1) });
  try {
    const { items, approvals } = world.companion();
    const { windowSessions } = approvals;
    const [first, second] = [windowSessions.open('window'), windowSessions.open('window')];
    const sheet = items.contactSheet.readOrder();
    const rows = [{ itemId: 'lamp', reviewReason: 'grouped' as const, photoIds: ['a'], unsureIds: [] }];
    const order = { rows };
    const { mark } = items.sheetChanges.since(order, null);
    windowSessions.close(first);
    world.clock.advance(120_000);
    await world.until(() => items.contactSheet.readOrder() === sheet, 'the same sheet beside an open window');
    windowSessions.close(second);
    world.clock.advance(59_000);
    // A window that opens again in time finds the sheet.
    const third = windowSessions.open('window');
    world.clock.advance(120_000);
    await new Promise(setImmediate);
    expect(items.contactSheet.readOrder()).toBe(sheet);
    expect(items.sheetChanges.since(order, mark).rows).toEqual(['lamp']);
    expect(collections).toBe(0);
    windowSessions.close(third);
    world.clock.advance(60_000);
    await new Promise(setImmediate);
    expect(collections).toBe(1);
    expect(items.sheetChanges.since(order, mark).rows).toEqual(rows);
    const again = items.contactSheet.readOrder();
    expect(again).not.toBe(sheet);
    expect(again).toEqual(sheet);
  } finally {
    await world.close();
  }
});
