// The scenes of the sample photos as SVG. Their product codes belong to no product: EAN 20… is for internal use in shops, and
// ISBN 978-99999 is assigned to no publisher.
import bwip from 'bwip-js';
const serif = 'font-family="DejaVu Serif"';
const sans = 'font-family="DejaVu Sans"';

const text = (x, y, size, words, more = '') => `<text x="${x}" y="${y}" font-size="${size}" ${more}>${words}</text>`;

/** Draws a white label with an EAN-13. The check digit is computed from the first twelve digits. */
const barcode = (x, y, width, digits, caption = '') => {
  const drawn = bwip.toSVG({ bcid: 'ean13', text: digits, includetext: true, height: 20, textsize: 10 });
  const height = width * 0.72;
  return `<g><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="3" fill="#fdfdfa"/>
    ${text(x + width / 2, y + height * 0.13, width * 0.064, caption, `${sans} text-anchor="middle" fill="#111"`)}
    ${drawn.replace('<svg ', `<svg x="${x + width * 0.07}" y="${y + height * 0.18}" width="${width * 0.86}" height="${height * 0.76}" `)}</g>`;
};

const definitions = `<defs>
  <filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.003 0.09" numOctaves="4" seed="8"/>
    <feColorMatrix values="0 0 0 0 0.22  0 0 0 0 0.11  0 0 0 0 0.04  1.5 0 0 0 -0.52"/></filter>
  <filter id="cloth" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.35 0.35" numOctaves="1" seed="3"/>
    <feColorMatrix values="0 0 0 0 0.2  0 0 0 0 0.2  0 0 0 0 0.22  0.5 0 0 0 -0.17"/></filter>
  <filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="26"/></filter>
  <filter id="near" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="8"/></filter>
  <radialGradient id="light" cx="0.28" cy="0.16" r="1"><stop offset="0" stop-color="#fff6e0" stop-opacity="0.34"/><stop offset="0.5" stop-color="#fff6e0" stop-opacity="0"/></radialGradient>
  <radialGradient id="edge" cx="0.46" cy="0.44" r="0.78"><stop offset="0.55" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.42"/></radialGradient>
  <linearGradient id="gloss" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#fff" stop-opacity="0.26"/><stop offset="0.45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="0.16"/></linearGradient>
  <linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#12283f"/><stop offset="0.55" stop-color="#2b5d73"/><stop offset="1" stop-color="#e8a45c"/></linearGradient>
  <linearGradient id="glaze" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#0d5c5f"/><stop offset="0.28" stop-color="#3fb0ab"/><stop offset="0.45" stop-color="#23908d"/><stop offset="1" stop-color="#084346"/></linearGradient>
  <linearGradient id="clay" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#9c7a5a"/><stop offset="0.3" stop-color="#e2c6a4"/><stop offset="1" stop-color="#7a5b3f"/></linearGradient>
  <linearGradient id="metal" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#3a3d44"/><stop offset="0.35" stop-color="#868b96"/><stop offset="1" stop-color="#23252b"/></linearGradient>
  <radialGradient id="cushion" cx="0.4" cy="0.35" r="0.7"><stop offset="0" stop-color="#5a5d66"/><stop offset="1" stop-color="#17181c"/></radialGradient>
  <radialGradient id="cup" cx="0.38" cy="0.3" r="0.75"><stop offset="0" stop-color="#ff9d6b"/><stop offset="0.5" stop-color="#e2571f"/><stop offset="1" stop-color="#8f2c08"/></radialGradient>
  <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#e9e6df"/><stop offset="1" stop-color="#cfcac0"/></linearGradient>
</defs>`;

const planks = (w, h, colour) => {
  const joints = [0.27, 0.55, 0.81].map(
    (part) => `<path d="M0 ${h * part}H${w}" stroke="#2a1608" stroke-opacity="0.55" stroke-width="4"/>`,
  );
  return `<rect width="${w}" height="${h}" fill="${colour}"/><rect width="${w}" height="${h}" filter="url(#grain)"/>${joints.join('')}`;
};

const tableAndWall = (w, h, colour, at = 0.56) => `<rect width="${w}" height="${h}" fill="url(#wall)"/>
  <g transform="translate(0 ${h * at})"><rect width="${w}" height="${h}" fill="${colour}"/><rect width="${w}" height="${h}" filter="url(#grain)" opacity="0.8"/>
  <rect width="${w}" height="26" fill="#fff" opacity="0.18"/></g>
  <rect y="${h * at - 40}" width="${w}" height="40" fill="#000" opacity="0.08" filter="url(#near)"/>`;

const scene = (w, h, background, content) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${definitions}${background}<g id="thing">${content}</g>
  <rect width="${w}" height="${h}" fill="url(#light)"/><rect width="${w}" height="${h}" fill="url(#edge)"/></svg>`;

/** Draws a flat object on the table, slightly rotated, with its shadow. */
const lying = (x, y, w, h, angle, content) => `<g transform="translate(${x} ${y}) rotate(${angle} ${w / 2} ${h / 2})">
  <rect x="26" y="34" width="${w}" height="${h}" fill="#000" opacity="0.55" filter="url(#soft)"/>
  <rect x="7" y="9" width="${w}" height="${h}" fill="#000" opacity="0.5" filter="url(#near)"/>${content}
  <rect width="${w}" height="${h}" rx="6" fill="url(#gloss)" opacity="0.6"/></g>`;

/** Draws a carton with front, right side and top. Each face is drawn flat and then skewed. */
const carton = (x, y, { w, h, d }, { front, side, top }) => {
  const lean = 0.07;
  const [depthX, depthY] = [0.62, -0.34];
  const right = [x + w, y + w * lean];
  const ground = [
    [x - 10, y + h - 10],
    [x + w, y + w * lean + h + 16],
    [x + w + d * depthX + 190, y + w * lean + h + d * depthY + 40],
    [x + w + d * depthX, y + h + d * depthY - 60],
  ];
  return `<polygon points="${ground.map((point) => point.join()).join(' ')}" fill="#000" opacity="0.5" filter="url(#soft)"/>
    <g transform="matrix(1 ${lean} ${depthX} ${depthY} ${x} ${y})">${top}<rect width="${w}" height="${d}" fill="#fff" opacity="0.22"/></g>
    <g transform="matrix(${depthX} ${depthY} 0 1 ${right.join(' ')})">${side}<rect width="${d}" height="${h}" fill="#000" opacity="0.3"/></g>
    <g transform="matrix(1 ${lean} 0 1 ${x} ${y})">${front}<rect width="${w}" height="${h}" fill="url(#gloss)"/></g>`;
};

const cover = `<rect width="700" height="1060" rx="6" fill="url(#dusk)"/>
  <circle cx="540" cy="400" r="56" fill="#f8e3b4" opacity="0.9"/>
  <path d="M0 800q120-60 240-20t240-10 220 10v280H0z" fill="#0d2233"/><path d="M0 880q150-50 330-8t370-22v210H0z" fill="#081621"/>
  <path d="M262 880l28-370h84l28 370z" fill="#efe6d6"/><path d="M281 640h102l7 92H274zM291 512h82l4 60h-90z" fill="#b5382c"/>
  <rect x="284" y="446" width="96" height="66" rx="6" fill="#26221e"/><rect x="300" y="456" width="64" height="46" fill="#ffe08a"/><path d="M276 446l56-52 56 52z" fill="#b5382c"/>
  <path d="M364 470L700 400v150zM300 470L0 420v120z" fill="#ffe9a8" opacity="0.35"/>
  <rect x="40" y="48" width="620" height="250" fill="#fbf3df"/><g ${serif} fill="#12283f" text-anchor="middle">${text(350, 136, 64, 'THE LANTERN', 'font-weight="bold"')}${text(350, 214, 64, 'OF VESSMOOR', 'font-weight="bold"')}
  ${text(350, 270, 32, 'A Novel', 'font-style="italic"')}</g><g ${serif} fill="#fdf3dc" text-anchor="middle">${text(350, 990, 54, 'Ilse Marrowby')}</g><path d="M22 0v1060" stroke="#000" stroke-opacity="0.28" stroke-width="5"/>`;

const blurb = [
  'Every night for thirty years, Edda Quill has',
  'climbed the stairs of Vessmoor light. Then a',
  'ship that sank before she was born answers',
  'her lamp, and the sea begins to give back',
  'what it was paid to keep.',
];
const back = `<rect width="700" height="1060" rx="6" fill="#17344a"/><rect y="760" width="700" height="300" fill="#0d2233"/>
  <g ${serif} fill="#fdf3dc">${text(64, 128, 40, 'No one lights a lamp', 'font-style="italic"')}${text(64, 180, 40, 'for nothing.', 'font-style="italic"')}
  ${blurb.map((line, i) => text(64, 280 + i * 48, 25, line)).join('')}${text(64, 590, 25, '“A quiet storm of a book.”', 'font-style="italic"')}
  ${text(64, 628, 22, 'The Harbour Review')}</g><g ${sans} fill="#fdf3dc">${text(64, 930, 30, 'Tidegate Press', 'font-weight="bold"')}${text(64, 974, 22, 'Fiction · Paperback')}</g>
  ${barcode(396, 820, 264, '978999990417', 'ISBN 978-99999-0-417-9')}`;

const edges = Array.from(
  { length: 15 },
  (_, i) => `<path d="M6 ${1066 + i * 3}h694" stroke="${i % 2 ? '#e9dfc9' : '#cbbd9f'}" stroke-width="3"/>`,
).join('');
const books = {
  'IMG_0412.jpg': scene(1200, 1600, planks(1200, 1600, '#a87244'), lying(245, 262, 700, 1060, -1.5, cover)),
  'IMG_0413.jpg': scene(1200, 1600, planks(1200, 1600, '#a87244'), lying(258, 250, 700, 1060, 3, back)),
  'IMG_0414.jpg': scene(
    1600,
    1200,
    planks(1600, 1200, '#a87244'),
    `<g transform="matrix(0.94 -0.16 0.3 0.66 260 330)">${lying(0, 0, 700, 1106, 0, `${edges}${cover}`)}</g>`,
  ),
};

const mug = (x, y, scale) => `<g transform="translate(${x} ${y}) scale(${scale})">
  <ellipse cx="220" cy="410" rx="270" ry="46" fill="#000" opacity="0.5" filter="url(#soft)"/><ellipse cx="150" cy="404" rx="142" ry="26" fill="#000" opacity="0.55" filter="url(#near)"/>
  <path d="M288 130c120-22 140 180-8 196v-40c78-14 74-128 4-114z" fill="#0f6266"/><path d="M292 142c96-14 116 150-2 168" fill="none" stroke="#5fc4be" stroke-opacity="0.5" stroke-width="6"/>
  <path d="M0 40c0 160 6 300 24 346 14 30 238 30 252 0 18-46 24-186 24-346z" fill="url(#glaze)"/>
  <path d="M19 344c2 20 4 34 6 42 14 30 236 30 250 0 2-8 4-22 6-42-40 26-222 26-262 0z" fill="url(#clay)"/>
  <ellipse cx="150" cy="40" rx="150" ry="40" fill="#56bdb7"/><ellipse cx="150" cy="44" rx="136" ry="32" fill="#073638"/><path d="M20 46q130 56 260 0-20 32-130 32T20 46z" fill="#e9dccb" opacity="0.75"/>
  <path d="M62 96q-6 130 12 226" fill="none" stroke="#fff" stroke-opacity="0.4" stroke-width="16" stroke-linecap="round"/></g>`;

const mugSize = { w: 640, h: 560, d: 420 };
const panel = (w, h, colour) => `<rect width="${w}" height="${h}" fill="${colour}"/>`;
const mugFront = `${panel(640, 560, '#e9dcc3')}<rect y="430" width="640" height="130" fill="#14757a"/>
  <g ${serif} text-anchor="middle" fill="#14565a">${text(320, 112, 82, 'TOVALIND', 'font-weight="bold" letter-spacing="6"')}${text(320, 168, 32, 'Stoneware Mugs', '')}</g>
  <g transform="translate(130 200) scale(0.48)">${mug(0, 0, 1)}</g><g transform="translate(350 200) scale(0.48)">${mug(0, 0, 1)}</g>
  <g ${sans} fill="#fff" text-anchor="middle">${text(320, 486, 36, 'Set of 2 · 350 ml', 'font-weight="bold"')}${text(320, 532, 26, 'Colour: Lagoon Teal')}</g>`;
const mugBack = `${panel(640, 560, '#e9dcc3')}<rect width="640" height="92" fill="#14757a"/><g ${sans} fill="#fff">${text(34, 60, 38, 'TOVALIND', 'font-weight="bold"')}</g>
  <g ${sans} fill="#2c3a3a">${text(34, 150, 28, 'Stoneware Mugs, Set of 2', 'font-weight="bold"')}${['Item no. TV-2350', 'Volume 350 ml each', 'Dishwasher safe', 'Microwave safe', 'Lagoon Teal'].map((line, i) => text(34, 200 + i * 40, 24, line)).join('')}</g>
  ${barcode(336, 300, 274, '200417002350')}`;
const wood = '#c49a6c';
const mugs = {
  'DSC_1001.jpg': scene(1600, 1200, tableAndWall(1600, 1200, wood), `${mug(300, 430, 1.45)}${mug(860, 500, 1.45)}`),
  'DSC_1002.jpg': scene(
    1600,
    1200,
    tableAndWall(1600, 1200, wood),
    `${carton(330, 380, mugSize, { front: mugFront, side: panel(420, 560, '#cdbc9c'), top: panel(640, 420, '#e2d3b6') })}`,
  ),
  'DSC_1003.jpg': scene(
    1600,
    1200,
    planks(1600, 1200, wood),
    `<g transform="translate(300 150) scale(1.56)">${lying(0, 0, 640, 560, 2, mugBack)}</g>`,
  ),
};

const headphones = (x, y, scale) => `<g transform="translate(${x} ${y}) scale(${scale})">
  <ellipse cx="330" cy="640" rx="360" ry="60" fill="#000" opacity="0.5" filter="url(#soft)"/>
  <path d="M70 400C40-60 620-60 590 400" fill="none" stroke="#191a1e" stroke-width="58"/><path d="M74 380C50-40 610-40 586 380" fill="none" stroke="url(#metal)" stroke-width="22"/>
  <path d="M170 84C260 24 400 24 490 84" fill="none" stroke="#e2571f" stroke-width="14" stroke-linecap="round"/>
  <g transform="rotate(7 80 480)"><rect x="92" y="352" width="86" height="272" rx="43" fill="url(#cushion)"/><rect x="10" y="338" width="112" height="300" rx="56" fill="url(#cup)"/><ellipse cx="58" cy="488" rx="30" ry="96" fill="none" stroke="#ffd2b8" stroke-opacity="0.6" stroke-width="5"/></g>
  <g transform="rotate(-7 580 480)"><rect x="482" y="352" width="86" height="272" rx="43" fill="url(#cushion)"/><rect x="538" y="338" width="112" height="300" rx="56" fill="url(#cup)"/><ellipse cx="602" cy="488" rx="30" ry="96" fill="none" stroke="#ffd2b8" stroke-opacity="0.5" stroke-width="5"/></g></g>`;

const phoneSize = { w: 560, h: 700, d: 330 };
const phoneFront = `${panel(560, 700, '#f6f4ef')}<rect y="560" width="560" height="140" fill="#e2571f"/>${headphones(116, 170, 0.5)}
  <g ${sans} text-anchor="middle"><g fill="#222">${text(280, 92, 70, 'ORVANTO', 'font-weight="bold" letter-spacing="4"')}${text(280, 142, 30, 'QN-40 Wireless')}</g>
  <g fill="#fff">${text(280, 624, 38, 'Over-Ear Headphones', 'font-weight="bold"')}${text(280, 670, 26, '40 h battery · Noise cancelling')}</g></g>`;
const phoneSide = `${panel(330, 700, '#e2571f')}<g ${sans} fill="#fff" text-anchor="middle">${text(165, 380, 52, 'ORVANTO', 'font-weight="bold"')}${text(165, 440, 34, 'QN-40')}</g>`;
const phoneBack = `${panel(760, 560, '#f6f4ef')}<rect width="760" height="84" fill="#e2571f"/><g ${sans}><g fill="#fff">${text(36, 58, 42, 'ORVANTO QN-40', 'font-weight="bold"')}</g>
  <g fill="#26262a">${text(36, 140, 28, 'Wireless Over-Ear Headphones', 'font-weight="bold"')}${['Model: QN-40', 'Colour: Ember Orange', 'Bluetooth 5.3', 'Battery: 40 hours', 'In the box: headphones,', 'USB-C cable, pouch'].map((line, i) => text(36, 196 + i * 42, 25, line)).join('')}</g></g>
  ${barcode(430, 290, 290, '200417004014')}`;
const desk = '#6f5a49';
const phones = {
  'P1020331.jpg': scene(1600, 1200, tableAndWall(1600, 1200, desk, 0.6), headphones(330, 170, 1.4)),
  'P1020332.jpg': scene(
    1200,
    1600,
    tableAndWall(1200, 1600, desk, 0.6),
    `<g transform="translate(-40 -30) scale(1.18)">${carton(190, 470, phoneSize, { front: phoneFront, side: phoneSide, top: panel(560, 330, '#e9e5dc') })}</g>`,
  ),
  'P1020333.jpg': scene(
    1600,
    1200,
    planks(1600, 1200, desk),
    `<g transform="translate(230 170) scale(1.5)">${lying(0, 0, 760, 560, -2, phoneBack)}</g>`,
  ),
};

export const sampleScenes = { 'The Lantern of Vessmoor': books, 'Tovalind mugs': mugs, 'Orvanto headphones': phones };

/** Rotates the hue of the object by `degrees`, but not the hue of the table. */
export const inOtherColours = (svg, degrees) =>
  svg
    .replace(
      '</defs>',
      `<filter id="turn" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB"><feColorMatrix type="hueRotate" values="${degrees}"/></filter></defs>`,
    )
    .replace('<g id="thing">', '<g id="thing" filter="url(#turn)">');
