import type { ServiceClient } from '../serviceClient.ts';
import type { Way } from './way.ts';

/**
 * The client, whose calls that nobody waits for wait for the service where that has a fault. It is the outermost one: what
 * waits here holds no lock. `hold` is waited for, too, while everything is paused.
 */
export const paceClient = <C extends ServiceClient>(
  client: C,
  queue: Way,
  hold: (signal: AbortSignal) => Promise<void>,
): C => {
  const send: ServiceClient['send'] = (route, input, options) => {
    const work = () => client.send(route, input, options);
    if (options?.unattended === undefined) return queue.attend(route, work);
    return queue.run(route, work, options.signal, options.unattended === 'work' ? hold : undefined);
  };
  return { ...client, send };
};
