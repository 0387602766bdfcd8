import type { Guard } from './guard.ts';

const server = 'src/host/ceremony/ceremonyApp.ts';
const tests = ['test/flows/presence/ceremonyServer.test.ts'];

/** Checks that only the ceremony page, opened by the window, reaches a ceremony. */
export const ceremonyGuards: readonly Guard[] = [
  {
    id: 'ceremony-host',
    keeps: 'The ceremony page answers only under its own name.',
    file: server,
    source: 'if (headers.host !== host || countHostHeaders(request) > 1) return 421;',
    without: '',
    tests,
    only: 'does not open the ceremony',
  },
  {
    id: 'ceremony-origin',
    keeps: 'A page of another origin cannot call the ceremony page.',
    file: server,
    source: 'if (headers.origin === undefined ? !isRead : headers.origin !== `http://${host}`) return 403;',
    without: '',
    tests,
    only: 'does not open the ceremony',
  },
  {
    id: 'ceremony-site',
    keeps: 'Another site cannot load parts of the ceremony page.',
    file: server,
    source: "return site === undefined || site === 'same-origin' || isNavigation ? null : 403;",
    without: 'return isNavigation ? null : null;',
    tests,
    only: 'does not open the ceremony',
  },
  {
    id: 'ceremony-frame',
    keeps: 'No page shows the ceremony page in a frame.',
    file: 'src/host/ceremony/ceremonyHtml.ts',
    source: '"frame-ancestors \'none\'"',
    without: '"frame-ancestors *"',
    tests,
    only: 'no other page can show',
  },
  {
    id: 'ceremony-top-origin',
    keeps: 'A signature that was made in a frame does not count.',
    file: 'src/core/presence/passkeys.ts',
    source: ' || !isFromTopLevel(response.response.clientDataJSON))\n    throw',
    without: ')\n    throw',
    tests,
    only: 'a signature made in',
  },
  {
    id: 'ceremony-photos',
    keeps: 'Photos are shown only while their ceremony is open.',
    file: 'src/core/presence/presence.ts',
    source: "const isOpen = ['open', 'checking'].includes(parts.ceremonies.readStatus(token).state);",
    without: 'const isOpen = parts.ceremonies.readStatus(token).state.length > 0;',
    tests,
    only: 'shows the act, title, price, photo',
  },
];
