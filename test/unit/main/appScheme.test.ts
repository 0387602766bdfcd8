import { expect, test, vi } from 'vitest';

const { register } = vi.hoisted(() => ({ register: vi.fn() }));
vi.mock('electron', () => ({ protocol: { registerSchemesAsPrivileged: register } }));

test('the app scheme is a secure origin without a code cache', async () => {
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
