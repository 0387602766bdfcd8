/**
 * Non-ASCII letters, grouped by the ASCII letter or digit that they resemble. Based on the Unicode confusables (UTS
 * #39). Letters that NFKD maps to ASCII are omitted.
 */
const lookalikes: Readonly<Record<string, string>> = {
  2: 'ƧƻϨᒿꙄꝚ',
  3: 'ƷȜЗҘӠⳌꝪꞫ𑣊',
  4: 'Ꮞ𑢯',
  5: 'Ƽ𑢻',
  6: 'ᏮⳒ𑣕',
  7: '𐓒𑣆',
  8: 'Ȣȣ𐌚',
  9: 'ⳊꝮ𑢬𑣌𑣖',
  a: 'ɐɑΑαАаᎪᗅᴀꓮꭺ𐊠',
  b: 'ƀƂƃƄɓʙΒβБВЬбвѢѣҌҍᏏᏴᑲᑳᖯᗷᴃꓐꞴ𐊂𐊡𐌁',
  c: 'ƈȼɔϲϹСсҪҫᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜',
  d: 'ÐĐđƉƌɖɗԀԁᎠᏧᑯᗞᗪᴅꓒꓓ',
  e: 'ɆɇəɛΕεЄЕеєҽҿᎬᴇⱻⴹꓰꬲ𐊆𑢦𑢮',
  f: 'ƑƒϜϝքᖴᵮẝꓝꜰꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂',
  g: 'ƍǤǥɠɡɢԌցᏀᏳᶃꓖ𝼂',
  h: 'ĦħɦʜΗНнћҢһӇӉԋհᎻᏂᏲᕼⱧⲎꓧꚕ𐋏',
  j: 'ɈɉɟͿϳЈјᎫᒍᴊꓙꞲ',
  k: 'ƙΚκКкҚҞᏦᴋⱩⲔꓗꝀ𐔘𝼐',
  l: 'ıŁłƖƗƚǀɨɩɪɫɭʟΙιІіӀӏᎥᏞᒪᵻᵼⲒⳐⵏꓡꓲꙇꭵ𐊊𐌉𐐛𐔦𑢣𑢲𑣃',
  m: 'ɱΜϺМмӍᎷᗰᴍᵯⲘꓟꟺ𐊰𐌑',
  n: 'ŋƝƞɳɴΝηИипոռᴎᵰⲚꓠ𐔓',
  o: 'ØøƟɵΘΟθοσϴОоѲѳӨөՕօჿᎾᏫᴏᴐᴑⲞⲟⴱⵁⵔꓳꝊꝋꬽꬾꭴꮎꮻ𐊒𐊫𐐄𐐬𐓂𐓪𐔖𑢵𑣈𑣗',
  p: 'ƥΡρϱРрᏢᑭᴘᵽⲢⲣꓑ𐊕',
  q: 'ʠԚԛգզⵕꞯ',
  r: 'ƦɍɼɽɾʀʁГгғᎡᏒᖇᴙᴚᴦᵲⲅꓣꭇꭈꮁ𐒴',
  s: 'ƽʂЅѕՏᏕᏚᵴꓢꜱꮪ𐊖𐐠𐑈𑣁',
  t: 'ŦŧƭƮȾΤτТтҬᎢᴛᵵⲦꓔ𐊗𐊱𐌕𑢼',
  u: 'ɄʊʋμυцՍսᏌᑌᴜᵾꓴꞟꭎꭒꮜ𐓎𐓶𑢸𑣘',
  v: 'νѴѵᏙᐯᴠⴸꓦꮩ𐔝𑢠𑣀',
  w: 'ɯωшѡѽԜԝաᎳᏔᴡꓪꙍꝡꮃ',
  x: 'ΧχХжхҲᕁᕽⲬⵝꓫꞳ𐊐𐊴𐌗𐔧',
  y: 'ƳƴɎɏɣʏΥγУуҮүҰұყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜',
  z: 'ƵƶȤȥʐΖζᏃᴢᵶꓜꮓ𑢩𑣄',
};

const letterByLookalike: ReadonlyMap<string, string> = new Map(
  Object.entries(lookalikes).flatMap(([look, letters]) => [...letters].map((letter) => [letter, look] as const)),
);

/** The first code points of three alphabets that NFKD does not map to ASCII. */
const enclosedLetterStarts = [0x1_f150, 0x1_f170, 0x1_f1e6];

const toAsciiLookalike = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  const first = enclosedLetterStarts.find((one) => code >= one && code < one + 26);
  return first === undefined ? (letterByLookalike.get(letter) ?? letter) : String.fromCodePoint(0x61 + code - first);
};

const asciiLookalikes: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', '3': 'e', '5': 's', '|': 'l', i: 'l' };

/** Returns the skeleton of a text. Texts that look alike have equal skeletons. */
export const toNameSkeleton = (name: string): string =>
  [...[...name.normalize('NFC')].map(toAsciiLookalike).join('').normalize('NFKD')]
    .map((char) => toAsciiLookalike(char).toLowerCase())
    .map((char) => asciiLookalikes[char] ?? toAsciiLookalike(char))
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

const stripTrailingNumber = (name: string): string => name.replace(/(?<=\p{L}\P{L}*)[\s\p{P}\p{N}]+$/u, '');
const stripBracketedText = (name: string): string => name.replace(/(?<=\p{L}.*)[([{][^)\]}]*[)\]}]/gu, ' ');

/** A second program with an equal name often gets a trailing number, so the name is compared with and without it. */
const listNameSkeletons = (name: string): readonly string[] => [
  toNameSkeleton(name),
  toNameSkeleton(stripTrailingNumber(name)),
];

const listWordSkeletons = (name: string): readonly string[] =>
  stripTrailingNumber(name.replace(/[\p{S}\p{No}]/gu, ' '))
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(toNameSkeleton)
    .filter((word) => word !== '');

/** Words in the supported languages that mean the person or this program. Assistants must not use them as names. */
const personWords: readonly string[] = [
  ...['You', 'Yourself', 'Me', 'Myself', 'Person', 'Owner', 'User', 'Human', 'Companion'],
  ...[
    'Sie',
    'Du',
    'Dir',
    'Dich',
    'Ihr',
    'Ihnen',
    'Euch',
    'Ich',
    'Besitzer',
    'Eigentümer',
    'Inhaber',
    'Nutzer',
    'Benutzer',
  ],
  ...[
    'Vous',
    'Toi',
    'Te',
    'Tu',
    'Moi',
    'Personne',
    'Propriétaire',
    'Utilisateur',
    'Lei',
    'Voi',
    'Persona',
    'Proprietario',
  ],
  ...['Utente', 'Usted', 'Ustedes', 'Tú', 'Vos', 'Vosotros', 'Dueño', 'Propietario', 'Usuario'],
  ...['U', 'Jij', 'Je', 'Jou', 'Jullie', 'Uw', 'Gij', 'Persoon', 'Eigenaar', 'Gebruiker'],
  ...['Ty', 'Ciebie', 'Tobie', 'Pan', 'Pani', 'Państwo', 'Osoba', 'Właściciel', 'Użytkownik'],
];
/** A name that consists only of person words and these filler words is refused. */
const fillerWords: readonly string[] = [
  ...['the', 'a', 'by', 'of', 'and', 'my', 'your', 'our', 'listing', 'app', 'application', 'program', 'official'],
  ...['der', 'die', 'das', 'den', 'dem', 'von', 'le', 'la', 'les', 'l', 'il', 'lo', 'el', 'los', 'las', 'de', 'het'],
];

/** The name with which the command line of this program requests pairing. */
export const commandLineName = 'Command line';

const toSkeletonSet = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(toNameSkeleton));
const personSkeletons = toSkeletonSet(personWords);
const fillerSkeletons = toSkeletonSet(fillerWords);
/** These are compared with the whole name, because a name such as "Y o u" cannot be split into words. */
const wholeNameSkeletons = toSkeletonSet([
  ...personWords,
  'The person',
  'The companion',
  'Listing Companion',
  'Listing Companion app',
]);
const commandLineSkeletons = toSkeletonSet([
  ...[commandLineName, 'Listing Companion command line', 'Terminal', 'CLI', 'Listing Companion CLI'],
]);

const resemblesPerson = (name: string): boolean => {
  const words = listWordSkeletons(name);
  const isAllOfIt =
    words.every((word) => personSkeletons.has(word) || fillerSkeletons.has(word)) &&
    words.some((word) => personSkeletons.has(word));
  return isAllOfIt || listNameSkeletons(name).some((skeleton) => wholeNameSkeletons.has(skeleton));
};

/**
 * Returns which reserved name a name resembles: `person` for the person or the companion, `commands` for the command
 * line of the companion, null for neither.
 */
export const findReservedLikeness = (name: string): 'person' | 'commands' | null => {
  if ([name, stripBracketedText(name)].some(resemblesPerson)) return 'person';
  return listNameSkeletons(name).some((skeleton) => commandLineSkeletons.has(skeleton)) ? 'commands' : null;
};

export type NameLikeness = { kind: 'reserved' } | { kind: 'assistant'; name: string };

/**
 * Returns the name with which a name can be confused: a reserved name or one of `others`. If `isLetIn`, a likeness to
 * the command line is ignored, because the person has already seen that warning during pairing.
 */
export const findNameLikeness = (name: string, others: readonly string[], isLetIn = false): NameLikeness | null => {
  const reserved = findReservedLikeness(name);
  if (reserved === 'person' || (reserved === 'commands' && !isLetIn)) return { kind: 'reserved' };
  const wanted = new Set(listNameSkeletons(name));
  const other = others.find((one) => listNameSkeletons(one).some((skeleton) => wanted.has(skeleton)));
  return other === undefined ? null : { kind: 'assistant', name: other };
};
