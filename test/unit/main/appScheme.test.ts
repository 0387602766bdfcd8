import { expect, test, vi } from 'vitest';

const { register } = vi.hoisted(() => ({ register: vi.fn() }));
vi.mock('electron', () => ({ protocol: { registerSchemesAsPrivileged: register } }));

test('the app scheme is a secure origin and stores no code cache in the data folder', async () => {
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
