import type { ElectronApplication, Page } from 'playwright';
import { expect, test } from './shell.ts';

type Case = { what: string; check: (app: ElectronApplication, page: Page) => Promise<unknown>; expected: unknown };

/** Returns the status of each path of the window's address. The page requests them because it does not normalise `%2e`. */
const fetchStatuses = (page: Page, paths: readonly string[], method = 'GET'): Promise<number[]> =>
  page.evaluate(
    ([asked, how]) =>
      Promise.all((asked as string[]).map((path) => fetch(path, { method: how }).then(({ status }) => status))),
    [paths, method] as const,
  );

const readPolicy = (page: Page): Promise<string> =>
  page.evaluate(async () => (await fetch('/index.html')).headers.get('content-security-policy') ?? '');

const parseNonce = (policy: string): string => /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';

/** Electron's security checklist and this app's additions, one case per item. */
const cases: Case[] = [
  {
    what: 'every window is isolated, in a sandbox and without Node',
    check: (app) =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map(({ webContents }) => {
          const of = (
            webContents as unknown as { getLastWebPreferences: () => Electron.WebPreferences }
          ).getLastWebPreferences();
          return [of.contextIsolation, of.sandbox, of.nodeIntegration, of.webSecurity, of.webviewTag ?? false];
        }),
      ),
    expected: [[true, true, false, true, false]],
  },
  {
    what: 'the content security policy allows only listed sources',
    check: async (_app, page) => {
      const policy = await readPolicy(page);
      return [/^default-src 'none'/.test(policy), /unsafe-eval|\*|script-src[^;]*unsafe-inline/.test(policy)];
    },
    expected: [true, false],
  },
  {
    what: 'every page load has a different nonce',
    check: async (_app, page) => {
      const nonces = [parseNonce(await readPolicy(page)), parseNonce(await readPolicy(page))];
      return [nonces.every((nonce) => nonce.length >= 22), new Set(nonces).size];
    },
    expected: [true, 2],
  },
  {
    what: 'scripts without the nonce and evaluated text do not run',
    check: (_app, page) =>
      page.evaluate(async () => {
        const script = document.createElement('script');
        script.textContent = 'globalThis.ran = true';
        document.head.append(script);
        // Wait: while a test's script runs, the devtools allow it to evaluate text.
        const evaluated = await new Promise((resolve) =>
          setTimeout(() => {
            try {
              resolve(Reflect.construct(Function, ['return true']) instanceof Function);
            } catch {
              resolve(false);
            }
          }, 50),
        );
        return ['ran' in globalThis, evaluated];
      }),
    expected: [false, false],
  },
  {
    what: 'nothing is loaded from another machine',
    check: (_app, page) =>
      page.evaluate(async () => {
        const fetched = await fetch('https://example.com/').then(
          () => 'loaded',
          () => 'refused',
        );
        const picture = await new Promise((resolve) => {
          const image = new Image();
          image.onload = () => resolve('loaded');
          image.onerror = () => resolve('refused');
          image.src = 'https://example.com/a.png';
        });
        const from = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
        const outside = from.filter(
          ({ origin, protocol, hostname }) =>
            origin !== location.origin && !['data:', 'blob:'].includes(protocol) && hostname !== 'example.com',
        );
        return [fetched, picture, outside.map(String)];
      }),
    expected: ['refused', 'refused', []],
  },
  {
    what: 'no path leads out of the window’s folder',
    check: (_app, page) =>
      fetchStatuses(page, [
        '/../../package.json',
        '/%2e%2e/%2e%2e/package.json',
        '/..%2f..%2fpackage.json',
        '/..%5c..%5cpackage.json',
        '/assets/../../main/index.js',
        '/assets/..%2f..%2fmain/index.js',
        '/%2fetc/passwd',
        '/photos/..%2f..%2fcompanion.db/full',
        '/index.html%00.css',
      ]),
    expected: Array.from({ length: 9 }, () => 404),
  },
  {
    what: 'the window’s address refuses POST requests',
    check: (_app, page) => fetchStatuses(page, ['/index.html', '/photos/x/full'], 'POST'),
    expected: [404, 404],
  },
  {
    what: 'all permissions are denied',
    check: (_app, page) =>
      page.evaluate(async () => {
        const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
        const states = await Promise.all(
          names.map((name) => navigator.permissions.query({ name: name as PermissionName }).then(({ state }) => state)),
        );
        return [...new Set(states)];
      }),
    expected: ['denied'],
  },
  {
    what: 'a frame in the page has no access to the companion object',
    check: (_app, page) =>
      page.evaluate(async () => {
        const frame = document.createElement('iframe');
        frame.srcdoc = '<p>a listing</p>';
        document.body.append(frame);
        await new Promise((resolve) => (frame.onload = resolve));
        return frame.contentWindow !== null && 'companion' in frame.contentWindow;
      }),
    expected: false,
  },
  {
    what: 'a guest page cannot be embedded',
    check: (_app, page) =>
      page.evaluate(() => {
        const guest = document.createElement('webview');
        document.body.append(guest);
        return 'loadURL' in guest;
      }),
    expected: false,
  },
  {
    what: 'a script in the window cannot open external pages',
    check: async (app, page) => {
      await app.evaluate(({ shell }) => {
        const opened: string[] = [];
        Object.assign(globalThis, { opened });
        shell.openExternal = (url) => Promise.resolve(void opened.push(url));
      });
      await page.evaluate(() => {
        for (const url of [
          'https://example.com/a',
          'http://example.com/b',
          'http://127.0.0.1:9/c',
          'file:///etc/passwd',
          'javascript:alert(1)',
          'smb://example.com/share',
          'ms-settings:privacy',
          'mailto:a@example.com',
        ])
          window.open(url);
      });
      return app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
    },
    expected: [],
  },
  {
    what: 'the preload adds one frozen object with three functions to the window',
    check: (_app, page) =>
      page.evaluate(() => {
        const { companion } = window as unknown as { companion: Record<string, unknown> };
        const kinds = Object.entries(companion).map(([name, value]) => `${name}: ${typeof value}`);
        return [
          kinds.sort(),
          Object.isFrozen(companion),
          ['require', 'process', 'ipcRenderer'].some((n) => n in window),
        ];
      }),
    expected: [
      ['base: string', 'call: function', 'host: string', 'onChanged: function', 'pathOf: function'],
      true,
      false,
    ],
  },
  {
    what: 'a link in the page cannot navigate the window away',
    check: (_app, page) =>
      page.evaluate(async () => {
        const before = location.href;
        const link = document.createElement('a');
        link.href = 'https://example.com/';
        document.body.append(link);
        link.click();
        await new Promise((resolve) => setTimeout(resolve, 500));
        return location.href === before;
      }),
    expected: true,
  },
];

test('the window follows Electron’s security checklist', async ({ start }) => {
  const { app, page } = await start();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const { what, check, expected } of cases) {
    await test.step(what, async () => {
      expect.soft(await check(app, page), what).toEqual(expected);
    });
  }
});
