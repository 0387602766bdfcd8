const thisComputer = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Parses a web address that uses https, or http on this computer. Returns null for any other text. */
export const parseSafeAddress = (address: string): URL | null => {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && thisComputer.has(url.hostname));
  return isSafe ? url : null;
};
