import { expect, test, vi } from 'vitest';

const { register } = vi.hoisted(() => ({ register: vi.fn() }));
vi.mock('electron', () => ({ protocol: { registerSchemesAsPrivileged: register } }));

test('the scheme of the window is a secure origin, and keeps no compiled code in the data folder', async () => {
  const { registerAppScheme } = await import('../../../src/main/appScheme.ts');
  registerAppScheme();
  expect(register.mock.calls).toEqual([
    [
      [
        {
          scheme: 'app',
          privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true },
        },
      ],
    ],
  ]);
});
