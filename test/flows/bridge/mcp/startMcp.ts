import { pair } from '../../../helpers/bridge/scene.ts';
import { startWorld } from '../../../helpers/world.ts';
import { connect } from './clients.ts';

export type Mcp = Awaited<ReturnType<typeof startMcp>>;

/** A companion with its bridge, an assistant that was let in, and its client on the newest revision. */
export const startMcp = async () => {
  const world = await startWorld();
  const bridge = await world.bridge();
  const { token, assistantId } = await pair(world, bridge.url, 'Tidy Helper');
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
