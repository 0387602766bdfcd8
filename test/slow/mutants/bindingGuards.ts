import type { Guard } from './guard.ts';

const subject = 'src/core/approvals/subject.ts';
const covers = ['test/unit/core/approvals/covers.test.ts'];

/** What an approval is bound to, and what must not change after it. */
export const bindingGuards: readonly Guard[] = [
  {
    id: 'sale-lowers-quantity',
    keeps: 'An approval of an end does not cover a quantity that rose.',
    file: subject,
    source: '  after < before &&\n',
    without: '',
    tests: covers,
  },
  {
    id: 'lost-write-delays',
    keeps: 'No request about a listing is decided while a write without a response can still arrive.',
    file: 'src/core/approvals/listingLocks.ts',
    source: 'if (!mightServiceProcessWrite(error)) endWrite(context, listingId);\n    else',
    without: 'if (mightServiceProcessWrite(error) || error) endWrite(context, listingId);\n    else',
    tests: ['test/unit/core/approvals/listingLocks.test.ts'],
  },
  {
    id: 'channel-delete-held',
    keeps: 'A removal from a channel can be undone for five seconds.',
    file: 'src/core/approvals/undoWindow.ts',
    source: " || route === 'deleteFromChannels'",
    without: '',
    tests: ['test/flows/approvals/channels/channels.test.ts'],
    only: 'can be undone for five seconds',
  },
  {
    id: 'settings-real-path',
    keeps: 'The settings of a client are written only to the path that the plan showed.',
    file: 'src/host/clients/settingsFile.ts',
    source: 'if (!(await isFileUnchanged(read)) || !(await isPathUnchanged().catch(() => false)))',
    without: 'if (!(await isFileUnchanged(read)) || (await isPathUnchanged().then(() => false)))',
    tests: ['test/unit/host/clients/settingsFile.test.ts'],
  },
];
