import type { UpdateAct, UpdateState } from '../../../../src/ipc/shell.ts';
import type { Answers, Fake } from '../fakeCompanion.ts';
import { omitUndefined } from '../omitUndefined.ts';
import { refuseCall } from '../fakeRefusal.ts';
import { createMessage } from '../../../../src/i18n/message.ts';

type App = Pick<
  Answers,
  Extract<
    keyof Answers,
    `app.${string}` | `backups.${string}` | `connect.${string}` | `links.${string}` | `start.${string}`
  >
>;

const backup = { name: 'companion-2026-11-20T221500Z.db', at: Date.parse('2026-11-20T22:15:00Z'), bytes: 4_812_800 };

const version = '0.2.0';

/** The state after each step of an update. */
const afterStep: Record<UpdateAct, UpdateState> = {
  check: { state: 'found', version },
  load: { state: 'ready', version },
  install: { state: 'held', version },
};

/** Calls about the window's state, the desktop shell and the connection. */
export const createAppCalls = (fake: Fake): App => ({
  'app.state': () => fake.state,
  'app.settings': ({ notify, ...changes }) => {
    const { settings } = fake.state;
    const changed = {
      ...settings,
      ...omitUndefined(changes),
      notify: { ...settings.notify, ...omitUndefined(notify ?? {}) },
    };
    return (fake.state = { ...fake.state, settings: changed });
  },
  'app.used': () => null,
  'app.shell': () => fake.shell,
  'app.changeShell': (change) => Object.assign(fake.shell, change),
  'app.pause': ({ paused }) => (fake.state = { ...fake.state, paused }),
  'app.dragOut': () => null,
  'app.showLogs': () => null,
  'app.diagnostics': () => ({ name: 'diagnostics.txt', type: 'text/plain', text: 'version 0.1.0\n' }),
  'app.update': ({ act }) => Object.assign(fake.shell, { update: afterStep[act] }),
  'app.open': () => null,
  'app.forgetEverything': () => null,
  'links.inspect': ({ url }) => ({ url, host: new URL(url).host, isKnown: !url.includes('unknown') }),
  'links.ask': ({ url }) => ({ questionId: url, url, host: new URL(url).host }),
  'links.agree': ({ questionId }) => ({ url: questionId }),
  'backups.list': () => [backup],
  'backups.make': () => [{ ...backup, name: 'companion-2026-11-21T090000Z.db', at: Date.now() }, backup],
  'backups.restore': () => ({ isScheduled: true }),
  'start.state': () => fake.start,
  'start.cancel': () => null,
  'start.restart': () => null,
  'backups.repairSeen': () => (fake.state = { ...fake.state, repaired: null }),
  'connect.practice': () => (fake.state = { ...fake.state, connection: 'connected' }),
  'connect.start': ({ email }) =>
    email.startsWith('busy')
      ? refuseCall('TOO_MANY', 'Too many codes were sent to this address.', { retryAfterS: 90 })
      : {
          challengeId: `ch_${Date.now()}`,
          termsUrl: 'https://service.example/terms',
          privacyUrl: 'https://service.example/privacy',
        },
  'connect.verify': ({ code }) =>
    code === '123456'
      ? (fake.state = { ...fake.state, connection: 'connected' })
      : refuseCall('INVALID_CODE', 'That code is not right, or it was used before. Look at the newest e-mail.', {
          says: createMessage('problems.INVALID_CODE.wrong'),
        }),
  'connect.key': ({ key }) =>
    key.startsWith('agent_')
      ? (fake.state = { ...fake.state, connection: 'connected' })
      : refuseCall('KEY_REFUSED', 'The service does not accept this key.', {
          says: createMessage('problems.KEY_REFUSED'),
        }),
  'connect.clipboard': () => (fake.state = { ...fake.state, connection: 'connected' }),
  'connect.forget': () => (fake.state = { ...fake.state, connection: 'none', person: null }),
});
