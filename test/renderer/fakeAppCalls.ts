import type { Answers, Fake } from './fakeCompanion.ts';
import { refuse } from './fakeRefusal.ts';

type App = Pick<Answers, Extract<keyof Answers, `app.${string}` | `connect.${string}`>>;

const startAtLogin = false;

/** The window's state, the shell around it, and connecting. */
export const appCalls = (fake: Fake): App => {
  const shell = { startAtLogin, addFromFileManager: null, update: null };
  return {
    'app.state': () => fake.state,
    'app.settings': (input) => {
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
      return (fake.state = { ...fake.state, settings: { ...fake.state.settings, ...given } });
    },
    'app.shell': () => shell,
    'app.changeShell': (change) => Object.assign(shell, change),
    'app.pause': ({ paused }) => (fake.state = { ...fake.state, paused }),
    'app.dragOut': () => null,
    'app.showLogs': () => null,
    'app.diagnostics': () => ({ name: 'diagnostics.txt', type: 'text/plain', text: 'version 0.1.0\n' }),
    'app.update': () => shell,
    'app.open': () => null,
    'connect.practice': () => (fake.state = { ...fake.state, connection: 'connected' }),
    'connect.start': ({ email }) =>
      email.startsWith('busy')
        ? refuse('TOO_MANY', 'Too many codes were sent to this address.', { retryAfterS: 90 })
        : {
            challengeId: `ch_${Date.now()}`,
            termsUrl: 'https://service.example/terms',
            privacyUrl: 'https://service.example/privacy',
          },
    'connect.verify': ({ code }) =>
      code === '123456'
        ? (fake.state = { ...fake.state, connection: 'connected' })
        : refuse('INVALID_CODE', 'That code is not right, or it was used before. Look at the newest e-mail.'),
    'connect.forget': () => (fake.state = { ...fake.state, connection: 'none', person: null }),
  };
};
