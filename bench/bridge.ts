import { request, Agent } from 'node:http';
import { pairedAssistant } from '../test/helpers/assistant.ts';
import { startWorld } from '../test/helpers/world.ts';
import { compare, type Compared } from './compare.ts';

const calls = 300;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const get = (url: string, token: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end();
  });

/** Milliseconds of a listing read through the bridge, against the same read sent to the service itself. */
export const benchBridge = async (): Promise<Compared> => {
  const world = await startWorld();
  const bridge = await world.bridge();
  try {
    const { listingId } = await world.reviewed();
    const assistant = await pairedAssistant(world, bridge.url);
    const key = (await world.secrets.get('agent-key practice')) ?? '';
    const each = async (base: string, token: string): Promise<number> => {
      const from = performance.now();
      for (let index = 0; index < calls; index += 1) await get(`${base}/listings/${listingId}`, token);
      return (performance.now() - from) / calls;
    };
    return await compare(
      { what: 'a listing read through the bridge', unit: 'ms', peer: 'the same read at the service' },
      () => each(bridge.url, assistant.token),
      () => each(world.practice.url, key),
    );
  } finally {
    agent.destroy();
    await bridge.stop();
    await world.close();
  }
};
