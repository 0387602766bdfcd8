import { expect, test } from 'vitest';
import type { Notice } from '../../../../src/core/base/ports.ts';
import { createProtectionNotifier } from '../../../../src/core/notifications/protectionNotices.ts';

const raiseNotices = async (...rows: [kind: string, facts: Record<string, unknown>][]): Promise<Notice[]> => {
  const notices: Notice[] = [];
  const noteRow = createProtectionNotifier((notice) => notices.push(notice));
  for (const [kind, facts] of rows) noteRow(kind, facts, () => true);
  expect(notices).toEqual([]);
  await Promise.resolve();
  return notices;
};

test('a restored backup and an acknowledged alarm each raise one notification', async () => {
  const notices = await raiseNotices(['ledger.restored', { copy: null }], ['ledger.acknowledged', { alarm: 'cut' }]);
  expect(notices.map(({ title }) => title)).toEqual([
    'A copy replaced your data',
    'A warning about your history was acknowledged',
  ]);
  const text = 'If that was not you, pause your assistants and look at the history.';
  for (const notice of notices) expect(notice).toMatchObject({ kind: 'protection', text, place: '/approvals' });
});

test('ordinary rows, the built-in assistant and narrower rights raise no notification', async () => {
  const built = { assistantId: 'as_1', name: 'Practice', isBuiltIn: true };
  const narrower = { assistantId: 'as_2', name: 'Tidy Helper', widens: null };
  const rows: [string, Record<string, unknown>][] = [
    ['approval.approve', {}],
    ['assistant.paired', built],
    ['assistant.changed', narrower],
    ['constructor', {}],
  ];
  expect(await raiseNotices(...rows)).toEqual([]);
});
