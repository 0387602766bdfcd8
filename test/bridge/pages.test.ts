import { afterEach, describe, expect, test } from 'vitest';
import { pathOf, routeOf, type RouteName } from '../../src/contract/index.ts';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
afterEach(() => scene.close());

describe('a page that only the person may open', () => {
  const pages: [RouteName, string, object | undefined][] = [
    ['readMarketAuthUrl', 'Starter', undefined],
    ['connectChannel', 'Starter', undefined],
    ['createCheckoutToken', 'Free', { tier: 'pro' }],
    ['createCheckout', 'Free', { tier: 'pro' }],
    ['createPortal', 'Starter', {}],
  ];
  /** The person opens what was offered; it opens once. */
  const openOffer = (): string => {
    const { offers } = scene.world.companion();
    const [offer] = offers.list().toReversed();
    expect(offer?.by).toBe('Tidy Helper');
    const url = offers.open(offer?.offerId ?? '');
    expect(() => offers.open(offer?.offerId ?? '')).toThrow('no longer offered');
    return url;
  };

  test.each(pages)('%s: is offered to the person, and its address is in no answer', async (name, plan, body) => {
    scene = await startScene({ person: { plan } });
    const { world, one } = scene;
    const { method, path } = routeOf(name);
    const asked = await one.call(method, pathOf(path, { channelId: 'corner' }), { ...(body ? { body } : {}) });
    const said = [asked];
    const asks = asked.status === 202;
    const decided = asks ? await world.yes() : null;
    if (!asks) expect(asked.body['openedFor']).toBe('person');
    said.push(
      await one.call('GET', '/companion/approvals'),
      await one.call(method, pathOf(path, { channelId: 'corner' }), { ...(body ? { body } : {}) }),
    );
    // What needed a yes is opened from its own answer in the window.
    const url = asks ? (world.companion().approvals.need(decided?.approvalId ?? '').outcome?.url ?? '') : openOffer();
    expect(url).toMatch(/^http/);
    for (const answer of said) {
      expect(JSON.stringify(answer)).not.toContain(url);
      expect(JSON.stringify(answer.body)).not.toMatch(/https?:\/\//);
    }
    expect(world.logs.join()).not.toContain(url);
  });
});
