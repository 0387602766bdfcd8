import { isRecord, toRecordOrEmpty } from '../base/json.ts';
import { isPersonPageField, publicAddressFields } from '../../contract/index.ts';

/** A part of an address with at least this many characters is treated as a secret. */
const minSecretLength = 16;
/** The number of layers of percent-encoding that are decoded, because an address can be hidden under several layers. */
const maxDecodings = 3;

const listDecodedForms = (text: string): string[] => {
  const all = [text];
  for (let turn = 0; turn < maxDecodings; turn += 1) {
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

const listSecretParts = (address: string): string[] => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) return [address];
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()];
  return [
    address,
    url.host,
    `${url.pathname}${url.search}`,
    ...parts.filter((part) => part.length >= minSecretLength),
  ].flatMap(listDecodedForms);
};

const containsWebAddress = (text: string): boolean =>
  listDecodedForms(text).some((reading) => /[a-z][a-z0-9+.-]*:\/\//i.test(reading));

type Slot = { uploadUrl: string; key: string; publicUrl: string; imageId: string } & Record<string, unknown>;

/** Replaces the upload addresses of slots and removes every other value that contains or reveals an address. */
export const hideUploadAddresses = (slots: readonly Slot[], addresses: readonly string[]): Slot[] => {
  // These values are public, so they reveal nothing.
  const open = slots.map(({ publicUrl, key, imageId }) => `${publicUrl} ${key} ${imageId}`).join(' ');
  const secretParts = slots
    .flatMap(({ uploadUrl }) => (uploadUrl === '' ? [] : listSecretParts(uploadUrl)))
    .filter((right) => right.length > 1 && (!open.includes(right) || right.includes('://')));
  const revealsSecretPart = (text: string): boolean =>
    listDecodedForms(text).some((one) => secretParts.some((right) => one.includes(right)));

  const dropRevealingParts = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(isSafeToShow).map(dropRevealingParts);
    if (value === null || typeof value !== 'object') return value;
    const kept = Object.entries(value).filter(([name, part]) => isSafeToShow(name) && isSafeToShow(part));
    return Object.fromEntries(kept.map(([name, part]) => [name, dropRevealingParts(part)]));
  };
  const isSafeToShow = (value: unknown): boolean =>
    typeof value !== 'string' || (!containsWebAddress(value) && !revealsSecretPart(value));
  const hideRevealingText = (text: string): string => (revealsSecretPart(text) ? '' : text);

  return slots.map((slot, index) => {
    const { uploadUrl: _own, key, publicUrl, imageId, ...others } = slot;
    return {
      ...toRecordOrEmpty(dropRevealingParts(others)),
      uploadUrl: addresses[index] ?? '',
      key: hideRevealingText(key),
      publicUrl: hideRevealingText(publicUrl),
      imageId: hideRevealingText(imageId),
    };
  });
};

/** Browsers accept backslashes in place of slashes. After some schemes they need no slashes at all. */
const withScheme = /[a-z][a-z0-9+.-]*:[/\\]|\b(https?|javascript|vbscript|data|blob|file|mailto|tel|intent):\S/i;
const withoutScheme = /(^|[^:/\\\w])[/\\]{2,}[^\s/\\]/;
const hostAndPath =
  /(^|[^\p{L}\p{N}@._-])((?:[\p{L}\p{N}-]+\.)+\p{L}{2,}|\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[\da-f:.]+\])\.?(:\d+)?[/?#\\]\S/iu;
const webHost = /(^|[^\p{L}\p{N}])www\.[\p{L}\p{N}]/iu;

/** Browsers ignore invisible characters and accept wide characters, entities and lookalikes of slash, dot and colon. */
const normalizeAddressText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, (char) => (/[\t\n\r ]/.test(char) ? ' ' : ''))
    .replace(/&(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|colon|sol|period);?/gi, (whole, hex?: string, decimal?: string) =>
      decodeCharacterEntity(whole, hex, decimal),
    )
    .normalize('NFKC')
    .replace(/[\u2044\u2215\u29f8]/g, '/')
    .replace(/[\u3002\uff61]/g, '.')
    .replace(/[\u02d0\u2236\ua789]/g, ':');

const namedEntities: Readonly<Record<string, string>> = { '&colon': ':', '&sol': '/', '&period': '.' };
const decodeCharacterEntity = (whole: string, hex?: string, decimal?: string): string => {
  const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
  if (Number.isNaN(code)) return namedEntities[whole.replace(';', '').toLowerCase()] ?? whole;
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
};

/** Returns whether a text contains an address that a person could open. */
export const containsAnyAddress = (text: string): boolean =>
  listDecodedForms(text).some((one) =>
    [withScheme, withoutScheme, hostAndPath, webHost].some((way) => way.test(normalizeAddressText(one))),
  );

/** Masks the words that are addresses. Returns null if an address spans several words. */
export const maskAddressWords = (sentence: string): string | null => {
  if (!containsAnyAddress(sentence)) return sentence;
  const cut = sentence
    .split(/\s+/)
    .map((word) => (containsAnyAddress(word) ? '…' : word))
    .join(' ');
  return containsAnyAddress(cut) ? null : cut;
};

type DropRule = (name: string, value: unknown) => boolean;

const hasMatchingPart = (value: unknown, takesOut: DropRule, name: string): boolean => {
  if (!isRecord(value)) return false;
  for (const field of Object.keys(value)) {
    const part = value[field];
    const called = Array.isArray(value) ? name : field;
    if (takesOut(called, part) || hasMatchingPart(part, takesOut, called)) return true;
  }
  return false;
};

const dropMatchingParts = (value: unknown, takesOut: DropRule, name: string): unknown => {
  if (!isRecord(value)) return value;
  if (Array.isArray(value))
    return value.filter((part) => !takesOut(name, part)).map((part) => dropMatchingParts(part, takesOut, name));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field, part]) => !takesOut(field, part))
      .map(([field, part]) => [field, dropMatchingParts(part, takesOut, field)]),
  );
};

const dropMatchingPartsIfAny = (value: unknown, takesOut: DropRule): unknown =>
  hasMatchingPart(value, takesOut, '') ? dropMatchingParts(value, takesOut, '') : value;

const isPersonPageValue: DropRule = (name, value) =>
  value !== null && typeof value !== 'boolean' && isPersonPageField(name);
const isAddressOrPersonField: DropRule = (name, value) =>
  isPersonPageValue(name, value) ||
  containsAnyAddress(name) ||
  (typeof value === 'string' && !publicAddressFields.has(name) && containsAnyAddress(value));

/** Removes the fields that contain the URL of a page for the person, at any depth. */
export const dropPersonPageFields = (answer: unknown): unknown => dropMatchingPartsIfAny(answer, isPersonPageValue);

/** Removes every value that looks like an address, except in fields for public addresses. */
export const dropAddressFields = (answer: unknown): unknown =>
  typeof answer === 'string' && containsAnyAddress(answer)
    ? ''
    : dropMatchingPartsIfAny(answer, isAddressOrPersonField);
