import { recordOf } from './unknownRecord.ts';

/** Parts of an address that are this long give it away by themselves. */
const tellingLength = 16;
/** Addresses that were encoded so often are still found. */
const deepestEncoding = 3;

/** How a text reads, and how it reads decoded. */
export const readings = (text: string): string[] => {
  const all = [text];
  for (let turn = 0; turn < deepestEncoding; turn += 1) {
    try {
      const next = decodeURIComponent(all.at(-1) ?? '');
      if (all.includes(next)) break;
      all.push(next);
    } catch {
      break;
    }
  }
  return all;
};

/** What of an upload address gives it away: its host, its path and query as a whole, and each long part by itself. */
const rightsOf = (address: string): string[] => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return [address];
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()];
  return [
    address,
    url.host,
    `${url.pathname}${url.search}`,
    ...parts.filter((part) => part.length >= tellingLength),
  ].flatMap(readings);
};

const isAddress = (text: string): boolean => readings(text).some((reading) => /[a-z][a-z0-9+.-]*:\/\//i.test(reading));

type Slot = { uploadUrl: string; key: string; publicUrl: string; imageId: string } & Record<string, unknown>;

/**
 * Slots with other addresses in the place of the service's own, which then stand nowhere in them: fields that the
 * interface names stay, of all others what holds no address and no part of one, however deep it lies.
 */
export const hideAddresses = (slots: readonly Slot[], addresses: readonly string[]): Slot[] => {
  // What is public is in the listing as well; it gives away nothing.
  const open = slots.map(({ publicUrl, key, imageId }) => `${publicUrl} ${key} ${imageId}`).join(' ');
  const rights = slots
    .flatMap(({ uploadUrl }) => (uploadUrl === '' ? [] : rightsOf(uploadUrl)))
    .filter((right) => right.length > 1 && (!open.includes(right) || right.includes('://')));
  const tells = (text: string): boolean => readings(text).some((one) => rights.some((right) => one.includes(right)));

  const hidden = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(isHarmless).map(hidden);
    if (value === null || typeof value !== 'object') return value;
    const kept = Object.entries(value).filter(([name, part]) => isHarmless(name) && isHarmless(part));
    return Object.fromEntries(kept.map(([name, part]) => [name, hidden(part)]));
  };
  const isHarmless = (value: unknown): boolean => typeof value !== 'string' || (!isAddress(value) && !tells(value));
  const unlessTelling = (text: string): string => (tells(text) ? '' : text);

  return slots.map((slot, index) => {
    const { uploadUrl: _own, key, publicUrl, imageId, ...others } = slot;
    return {
      ...recordOf(hidden(others)),
      uploadUrl: addresses[index] ?? '',
      key: unlessTelling(key),
      publicUrl: unlessTelling(publicUrl),
      imageId: unlessTelling(imageId),
    };
  });
};
