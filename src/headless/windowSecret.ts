/** Why a page has no secret. */
export type NoSecret = 'LINK_USED' | 'LINK_ENDED' | 'LINK_MISSING';

/** How a page comes by the secret of the session, and keeps it. */
export type WindowSecret = {
  /** A secret that was not refused yet, or why there is none. Throws when the companion cannot be asked. */
  find: () => Promise<{ secret: string } | { none: NoSecret }>;
  /** The companion took it. */
  prove: (secret: string) => void;
  /** The companion did not take it: it is one of an earlier start. */
  refuse: (secret: string) => void;
  /** Called when another tab offers a secret to a page that has none. */
  onOffer: (listener: () => void) => void;
};

/**
 * The secret is traded for the token of the link, lies in the storage of the tab, which keeps it over a reload, and is
 * handed from tab to tab. Both are the page's own by its whole origin, with its name and its port. The server sends this function to
 * the browser as text, so it uses nothing from outside of itself but types.
 */
export const windowSecret = (): WindowSecret => {
  type Heard = { wanted?: unknown; secret?: unknown } | null;
  const name = 'companion';
  const patienceMs = 1_000;
  const refused = new Set<string>();
  const channel = new BroadcastChannel(name);
  let proven: string | null = null;
  let offered: string | null = null;
  let none: NoSecret = 'LINK_MISSING';
  let hear = (): void => undefined;
  let listener = (): void => undefined;

  // A browser may be told to keep nothing: then a reload needs a new link, or another tab.
  const storage = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(sessionStorage);
    } catch {
      return null;
    }
  };

  /** Out of the address at once: neither a bookmark nor a copied address shall hold it. */
  const takeToken = (): string | null => {
    const address = new URL(location.href);
    const token = address.searchParams.get('token');
    if (token === null) return null;
    address.searchParams.delete('token');
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
    return token;
  };
  let token = takeToken();

  const enter = async (): Promise<string | null> => {
    if (token === null) return null;
    const response = await fetch('/enter', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    token = null;
    if (response.ok) return ((await response.json()) as { secret: string }).secret;
    none = response.status === 410 ? 'LINK_USED' : 'LINK_ENDED';
    return null;
  };

  channel.onmessage = ({ data }: MessageEvent<Heard>) => {
    if (data?.wanted === true && proven !== null) channel.postMessage({ secret: proven });
    if (proven !== null || typeof data?.secret !== 'string' || refused.has(data.secret)) return;
    offered = data.secret;
    hear();
    listener();
  };

  const askTabs = (): Promise<string | null> =>
    new Promise((resolve) => {
      hear = () => resolve(offered);
      setTimeout(() => resolve(null), patienceMs);
      channel.postMessage({ wanted: true });
    });

  const usable = (secret: string | null): secret is string => secret !== null && !refused.has(secret);

  return {
    find: async () => {
      const ways = [enter, () => storage((kept) => kept.getItem(name)), () => offered, askTabs];
      for (const way of proven === null ? ways : [() => proven]) {
        const secret = await way();
        if (usable(secret)) return { secret };
      }
      return { none };
    },
    prove: (secret) => {
      proven = secret;
      storage((kept) => kept.setItem(name, secret));
      // Tabs that wait without one open by it.
      channel.postMessage({ secret });
    },
    refuse: (secret) => {
      refused.add(secret);
      if (proven === secret) proven = null;
      storage((kept) => kept.getItem(name) === secret && kept.removeItem(name));
      if (none === 'LINK_MISSING') none = 'LINK_ENDED';
    },
    onOffer: (heard) => {
      listener = heard;
    },
  };
};
