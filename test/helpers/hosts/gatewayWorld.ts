import { createOutboundPolicy } from '../../../src/core/service/outboundPolicy.ts';
import { startWorld, type World } from '../world.ts';
import { startGateway } from './gateway.ts';

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** Starts a companion that reaches the practice service through a gateway, which can change answers. Close both. */
export const startGatewayWorld = async (
  options: Parameters<typeof startWorld>[0] = {},
): Promise<{ world: World; gateway: Gateway }> => {
  let way: string | null = null;
  const world: World = await startWorld({
    ...options,
    reach: () => way,
    outside: createOutboundPolicy(() => way ?? world.practice.url),
  });
  const gateway = await startGateway(() => world.practice.url);
  way = gateway.url;
  await world.stop();
  await world.begin();
  return { world, gateway };
};
