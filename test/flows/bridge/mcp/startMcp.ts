import { pairWithId } from '../../../helpers/bridge/scene.ts';
import { startWorld } from '../../../helpers/world.ts';
import { connect } from './clients.ts';

export type Mcp = Awaited<ReturnType<typeof startMcp>>;

/** Starts a companion with its bridge, pairs an assistant and connects its client with the newest revision. */
export const startMcp = async (options: Parameters<typeof startWorld>[0] = {}) => {
  const world = await startWorld(options);
  const bridge = await world.bridge();
  const { token, assistantId } = await pairWithId(world, bridge.url, 'Tidy Helper');
  const client = await connect(bridge.url, token);
  return {
    world,
    bridge,
    token,
    assistantId,
    client,
    close: async (): Promise<void> => {
      await client.close();
      await bridge.stop();
      await world.close();
    },
  };
};
