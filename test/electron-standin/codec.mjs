/* global atob, btoa */

/**
 * Converts values that structured clone supports to text and back, because IPC with Chromium is JSON. The page receives
 * the source text of this function, so it uses nothing from outside.
 */
export const makeCodec = () => {
  const refuse = () => new Error('An object could not be cloned.'); // Electron's error message.
  const typeOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
  const isTyped = (type) => /^(Big)?(Int|Uint|Float)\d+(Clamped)?Array$/.test(type);
  const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

  const toText = (bytes) => {
    if (typeof Buffer !== 'undefined') return Buffer.from(bytes).toString('base64');
    let text = '';
    for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    return btoa(text);
  };
  const toBytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  const encodePlain = (value) => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (value === undefined) return { is: 'undefined' };
    if (typeof value === 'bigint') return { is: 'bigint', of: String(value) };
    if (typeof value !== 'number') throw refuse();
    const isSpecial = !Number.isFinite(value) || Object.is(value, -0);
    return isSpecial ? { is: 'number', of: Object.is(value, -0) ? '-0' : String(value) } : value;
  };

  const encode = (root) => {
    const seen = new Map();
    const of = (value) => (typeof value === 'object' && value !== null ? object(value) : encodePlain(value));
    const object = (value) => {
      if (seen.has(value)) return { is: 'seen', of: seen.get(value) };
      seen.set(value, seen.size);
      const type = typeOf(value);
      if (Array.isArray(value)) return { is: 'array', of: Array.from(value, of) };
      if (type === 'Date') return { is: 'date', of: value.getTime() };
      if (type === 'RegExp') return { is: 'regexp', of: [value.source, value.flags] };
      if (type === 'Map') return { is: 'map', of: [...value].map((pair) => pair.map(of)) };
      if (type === 'Set') return { is: 'set', of: [...value].map(of) };
      if (type === 'ArrayBuffer') return { is: 'buffer', of: toText(new Uint8Array(value)) };
      if (isTyped(type)) return { is: 'typed', type, of: toText(bytesOf(value)) };
      if (type === 'Error') return { is: 'error', name: value.name, of: value.message, stack: value.stack };
      if (type !== 'Object') throw refuse();
      return { is: 'object', of: Object.entries(value).map(([key, entry]) => [key, of(entry)]) };
    };
    let cloned;
    try {
      cloned = structuredClone(root);
    } catch {
      throw refuse();
    }
    return JSON.stringify(of(cloned));
  };

  const decode = (text) => {
    const seen = [];
    const keep = (value) => {
      seen.push(value);
      return value;
    };
    const of = (coded) => (typeof coded === 'object' && coded !== null ? decoders[coded.is](coded) : coded);
    const decoders = {
      undefined: () => undefined,
      bigint: (coded) => BigInt(coded.of),
      number: (coded) => Number(coded.of),
      seen: (coded) => seen[coded.of],
      date: (coded) => keep(new Date(coded.of)),
      regexp: (coded) => keep(new RegExp(...coded.of)),
      buffer: (coded) => keep(toBytes(coded.of).buffer),
      typed: (coded) => keep(new globalThis[coded.type](toBytes(coded.of).buffer)),
      error: (coded) => {
        const known = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
        return Object.assign(keep(new (known[coded.name] ?? Error)(coded.of)), { stack: coded.stack });
      },
      array: (coded) => {
        const array = keep([]);
        for (const entry of coded.of) array.push(of(entry));
        return array;
      },
      map: (coded) => {
        const map = keep(new Map());
        for (const [key, entry] of coded.of) map.set(of(key), of(entry));
        return map;
      },
      set: (coded) => {
        const set = keep(new Set());
        for (const entry of coded.of) set.add(of(entry));
        return set;
      },
      object: (coded) => {
        const object = keep({});
        // Define the key instead of assigning it: it may be `__proto__`.
        const options = { writable: true, enumerable: true, configurable: true };
        for (const [key, entry] of coded.of) Object.defineProperty(object, key, { value: of(entry), ...options });
        return object;
      },
    };
    return of(JSON.parse(text));
  };

  return { encode, decode };
};
