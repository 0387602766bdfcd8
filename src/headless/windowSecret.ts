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

/** Trades the token of the link for the secret, once; null where there is no token any more. */
type EnterByLink = () => Promise<{ secret: string } | { none: NoSecret } | null>;

/** The other tabs of the window. `proven` is what this tab may give them, `isWanted` what it takes of them. */
type OtherTabs = (own: { proven: () => string | null; isWanted: (secret: string) => boolean }) => {
  /** What another tab has offered; null while none has. */
  offered: () => string | null;
  /** What the first tab answers; null when none does within a second. */
  ask: () => Promise<string | null>;
  /** Tabs that wait without a secret open by it. */
  offer: (secret: string) => void;
  onOffer: (listener: () => void) => void;
};

// The server sends these three functions to the browser as text, so each uses nothing from outside of itself but types.

/** The token goes out of the address at once: neither a bookmark nor a copied address shall hold it. */
export const enterByLink = (): EnterByLink => {
  const address = new URL(location.href);
  let token = address.searchParams.get('token');
  if (token !== null) {
    address.searchParams.delete('token');
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  }
  return async () => {
    if (token === null) return null;
    const response = await fetch('/enter', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    token = null;
    if (response.ok) return (await response.json()) as { secret: string };
    return { none: response.status === 410 ? 'LINK_USED' : 'LINK_ENDED' };
  };
};

/** A secret is handed from tab to tab by a channel that is the page's own by its whole origin. */
export const otherTabs: OtherTabs = ({ proven, isWanted }) => {
  type TabMessage = { wanted?: unknown; secret?: unknown } | null;
  const channel = new BroadcastChannel('companion');
  const answerTimeoutMs = 1_000;
  let offered: string | null = null;
  let onAnswer = (): void => undefined;
  let listener = (): void => undefined;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const own = proven();
    if (data?.wanted === true && own !== null) channel.postMessage({ secret: own });
    if (typeof data?.secret !== 'string' || !isWanted(data.secret)) return;
    offered = data.secret;
    onAnswer();
    listener();
  };
  return {
    offered: () => offered,
    ask: () =>
      new Promise((resolve) => {
        onAnswer = () => resolve(offered);
        setTimeout(() => resolve(null), answerTimeoutMs);
        channel.postMessage({ wanted: true });
      }),
    offer: (secret) => channel.postMessage({ secret }),
    onOffer: (heard) => {
      listener = heard;
    },
  };
};

/**
 * The secret is traded for the token of the link, lies in the storage of the tab, which keeps it over a reload, and is
 * handed from tab to tab. Storage and channel are the page's own by its whole origin, with its name and its port.
 */
export const windowSecret = (enter: EnterByLink, tabsOf: OtherTabs): WindowSecret => {
  const name = 'companion';
  const refused = new Set<string>();
  let proven: string | null = null;
  let none: NoSecret = 'LINK_MISSING';
  const tabs = tabsOf({
    proven: () => proven,
    isWanted: (secret) => proven === null && !refused.has(secret),
  });

  // A browser may be told to keep nothing: then a reload needs a new link, or another tab.
  const storage = <T>(use: (storage: Storage) => T): T | null => {
    try {
      return use(sessionStorage);
    } catch {
      return null;
    }
  };
  const byLink = async (): Promise<string | null> => {
    const entered = await enter();
    if (entered !== null && 'none' in entered) none = entered.none;
    return entered !== null && 'secret' in entered ? entered.secret : null;
  };
  const usable = (secret: string | null): secret is string => secret !== null && !refused.has(secret);

  return {
    find: async () => {
      const sources = [byLink, () => storage((kept) => kept.getItem(name)), tabs.offered, tabs.ask];
      for (const source of proven === null ? sources : [() => proven]) {
        const secret = await source();
        if (usable(secret)) return { secret };
      }
      return { none };
    },
    prove: (secret) => {
      proven = secret;
      storage((kept) => kept.setItem(name, secret));
      tabs.offer(secret);
    },
    refuse: (secret) => {
      refused.add(secret);
      if (proven === secret) proven = null;
      storage((kept) => kept.getItem(name) === secret && kept.removeItem(name));
      if (none === 'LINK_MISSING') none = 'LINK_ENDED';
    },
    onOffer: tabs.onOffer,
  };
};
