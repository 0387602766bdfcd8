import { shell } from 'electron';

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Opens a link that the person clicked in their browser: https, or plain http on this machine; nothing else. */
export const openLink = async (address: string): Promise<void> => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))) {
    await shell.openExternal(url.href);
  }
};
