/**
 * Letters outside of ASCII by the letter or digit they look like, each case by its own look: a capital may look like
 * another letter than its small one. After the table of confusables of Unicode (UTS #39), with the small capitals, the
 * letters of phonetics and the near ones besides. What NFKD turns into ASCII by itself is not here.
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

/** Letters in dark circles and squares, and those of flags: signs that NFKD leaves as they are. */
const signs = [0x1_f150, 0x1_f170, 0x1_f1e6];

/** What a letter looks like in small letters of ASCII; the letter itself where it looks like none. */
const plainLetterOf = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  const first = signs.find((one) => code >= one && code < one + 26);
  return first === undefined ? (letterByLookalike.get(letter) ?? letter) : String.fromCodePoint(0x61 + code - first);
};

/** What looks alike among small letters and digits of ASCII. */
const alike: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', '3': 'e', '5': 's', '|': 'l', i: 'l' };

/**
 * What a text looks like: texts with the same skeleton look the same. A letter's look is that of its own case: it is taken
 * before the case is, and again of what it is made of.
 */
export const skeletonOf = (name: string): string =>
  [...[...name.normalize('NFC')].map(plainLetterOf).join('').normalize('NFKD')]
    .map((char) => plainLetterOf(char).toLowerCase())
    .map((char) => alike[char] ?? plainLetterOf(char))
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

const withoutNumber = (name: string): string => name.replace(/(?<=\p{L}\P{L}*)[\s\p{P}\p{N}]+$/u, '');
const withoutBrackets = (name: string): string => name.replace(/(?<=\p{L}.*)[([{][^)\]}]*[)\]}]/gu, ' ');

/** A name as it is, and without a number that follows it: a second one of a name is called so. */
const skeletonsOf = (name: string): readonly string[] => [skeletonOf(name), skeletonOf(withoutNumber(name))];

/** The words of a name, as they look; the sign of a trade mark is no word, nor is a number that follows. */
const wordsOf = (name: string): readonly string[] =>
  withoutNumber(name.replace(/[\p{S}\p{No}]/gu, ' '))
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(skeletonOf)
    .filter((word) => word !== '');

/** What stands for the person or for this program in one of our languages: nobody else may go by it. */
const ofPerson: readonly string[] = [
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
/** What may stand beside such a word and leaves it what it is. */
const besides: readonly string[] = [
  ...['the', 'a', 'by', 'of', 'and', 'my', 'your', 'our', 'listing', 'app', 'application', 'program', 'official'],
  ...['der', 'die', 'das', 'den', 'dem', 'von', 'le', 'la', 'les', 'l', 'il', 'lo', 'el', 'los', 'las', 'de', 'het'],
];

/** How the commands of this program call themselves when the person lets them in. */
export const commandLineName = 'Command line';

const skeletons = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(skeletonOf));
const core = skeletons(ofPerson);
const beside = skeletons(besides);
/** The same written as one word, or letter by letter. */
const asOne = skeletons([...ofPerson, 'The person', 'The companion', 'Listing Companion', 'Listing Companion app']);
const skeletonsOfOurs = skeletons([
  ...[commandLineName, 'Listing Companion command line', 'Terminal', 'CLI', 'Listing Companion CLI'],
]);

const isOfPerson = (name: string): boolean => {
  const words = wordsOf(name);
  const isAllOfIt = words.every((word) => core.has(word) || beside.has(word)) && words.some((word) => core.has(word));
  return isAllOfIt || skeletonsOf(name).some((skeleton) => asOne.has(skeleton));
};

/**
 * What a name is easily taken for: the person or the companion themselves (`person`), or the companion's own commands
 * (`commands`); null for any other name.
 */
export const reservedLike = (name: string): 'person' | 'commands' | null => {
  if ([name, withoutBrackets(name)].some(isOfPerson)) return 'person';
  return skeletonsOf(name).some((skeleton) => skeletonsOfOurs.has(skeleton)) ? 'commands' : null;
};

/** What a person should know of a name: that it is reserved, or that another assistant's is easily taken for it. */
export type NameLike = { kind: 'reserved' } | { kind: 'assistant'; name: string };

/**
 * Whether a name is reserved or like one of the others; null when it is neither. Of one that was let in as the
 * companion's own commands the person was told when they let it in.
 */
export const nameLike = (name: string, others: readonly string[], isLetIn = false): NameLike | null => {
  const reserved = reservedLike(name);
  if (reserved === 'person' || (reserved === 'commands' && !isLetIn)) return { kind: 'reserved' };
  const wanted = new Set(skeletonsOf(name));
  const other = others.find((one) => skeletonsOf(one).some((skeleton) => wanted.has(skeleton)));
  return other === undefined ? null : { kind: 'assistant', name: other };
};
