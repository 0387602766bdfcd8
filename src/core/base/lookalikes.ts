/**
 * Letters outside of ASCII by the letter or digit they look like, each case by its own look: a capital may look like
 * another letter than its small one. After the table of confusables of Unicode (UTS #39), with the small capitals, the
 * letters of phonetics and the near ones besides. What NFKD turns into ASCII by itself is not here.
 */
const looks: Readonly<Record<string, string>> = {
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

const lookOf: ReadonlyMap<string, string> = new Map(
  Object.entries(looks).flatMap(([look, letters]) => [...letters].map((letter) => [letter, look] as const)),
);

/** Letters in dark circles and squares, and those of flags: signs that NFKD leaves as they are. */
const signs = [0x1_f150, 0x1_f170, 0x1_f1e6];

/** What a letter looks like in small letters of ASCII; the letter itself where it looks like none. */
export const looksLike = (letter: string): string => {
  const code = letter.codePointAt(0) ?? 0;
  const first = signs.find((one) => code >= one && code < one + 26);
  return first === undefined ? (lookOf.get(letter) ?? letter) : String.fromCodePoint(0x61 + code - first);
};
