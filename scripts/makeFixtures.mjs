#!/usr/bin/env node
// Draws the photos that tests use into a folder: node scripts/makeFixtures.mjs <folder>
// HEIC photos need heif-enc of Debian's libheif-examples, and are left out without it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const [width, height] = [400, 300];

/** Each corner differs, so that every rotation and mirroring is recognizable. */
const picture = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
  <rect width="400" height="300" fill="#d8d4cc"/>
  <rect width="200" height="150" fill="#c83232"/><rect x="200" width="200" height="150" fill="#32a050"/>
  <rect y="150" width="200" height="150" fill="#3250c8"/><circle cx="300" cy="225" r="60" fill="#e6c832"/>
  <path d="M150 60h110v30h-75v40h60v30h-60v80h-35z" fill="#fff"/></svg>`);

/** sRGB colours that tests compare. All colour spaces in use can represent them. */
export const patches = ['#c83232', '#32a050', '#3250c8', '#e6c832', '#808080', '#d8d4cc'];

const patchPicture = () =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200">${patches
        .map((colour, i) => `<rect x="${i * 100}" width="100" height="200" fill="${colour}"/>`)
        .join('')}</svg>`,
    ),
  )
    .removeAlpha()
    .png()
    .toBuffer();

/** Metadata like that of a phone, with a position that preparation must remove. */
const exif = {
  IFD0: { Make: 'Nobody', Model: 'Test Camera' },
  IFD2: { DateTimeOriginal: '2024:05:18 10:20:30', OffsetTimeOriginal: '+02:00' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 18/1' },
};

/** Builds a small Adobe RGB (1998) profile: three primaries adapted to D50, and a gamma. */
const adobeRgb = () => {
  const fixed = (value) => Math.round(value * 65536);
  const xyz = (values) => {
    const tag = Buffer.alloc(20);
    tag.write('XYZ ', 'latin1');
    values.forEach((value, i) => tag.writeInt32BE(fixed(value), 8 + i * 4));
    return tag;
  };
  const gamma = Buffer.alloc(16);
  gamma.write('curv', 'latin1');
  gamma.writeUInt32BE(1, 8);
  gamma.writeUInt16BE(Math.round(2.19921875 * 256), 12);
  const name = Buffer.alloc(112);
  name.write('desc', 'latin1');
  name.writeUInt32BE(10, 8);
  name.write('Test Adobe', 12, 'latin1');
  const copyright = Buffer.alloc(16);
  copyright.write('text\0\0\0\0CC0', 'latin1');
  const tags = Object.entries({
    desc: name,
    cprt: copyright,
    wtpt: xyz([0.9642, 1, 0.8249]),
    rXYZ: xyz([0.60974, 0.31111, 0.01947]),
    gXYZ: xyz([0.20528, 0.62567, 0.06087]),
    bXYZ: xyz([0.14919, 0.06322, 0.74457]),
    rTRC: gamma,
    gTRC: gamma,
    bTRC: gamma,
  });
  let at = 128 + 4 + tags.length * 12;
  const profile = Buffer.alloc(at + tags.reduce((sum, [, data]) => sum + data.length, 0));
  profile.writeUInt32BE(profile.length, 0);
  profile.writeUInt32BE(0x02100000, 8);
  profile.write('mntrRGB XYZ ', 12, 'latin1');
  profile.write('acsp', 36, 'latin1');
  [0.9642, 1, 0.8249].forEach((value, i) => profile.writeInt32BE(fixed(value), 68 + i * 4));
  profile.writeUInt32BE(tags.length, 128);
  tags.forEach(([signature, data], i) => {
    profile.write(signature, 132 + i * 12, 'latin1');
    profile.writeUInt32BE(at, 136 + i * 12);
    profile.writeUInt32BE(data.length, 140 + i * 12);
    data.copy(profile, at);
    at += data.length;
  });
  return profile;
};

/** The transformation of the upright picture that each orientation tag reverts. */
const stored = {
  1: (image) => image,
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: async (image) => sharp(await image.rotate(90).png().toBuffer()).flop(),
  6: (image) => image.rotate(270),
  7: async (image) => sharp(await image.rotate(270).png().toBuffer()).flop(),
  8: (image) => image.rotate(90),
};

const orientations = async (dir) => {
  const upright = await sharp(picture).removeAlpha().png().toBuffer();
  for (const [orientation, turn] of Object.entries(stored)) {
    const image = await turn(sharp(upright));
    await sharp(await image.png().toBuffer())
      .withExif(exif)
      .withMetadata({ orientation: Number(orientation) })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toFile(join(dir, `orientation-${orientation}.jpg`));
  }
};

const colours = async (dir) => {
  const plain = await patchPicture();
  const profile = join(dir, 'adobe.icc');
  writeFileSync(profile, adobeRgb());
  const best = { quality: 98, chromaSubsampling: '4:4:4' };
  await sharp(plain).jpeg(best).toFile(join(dir, 'srgb.jpg'));
  await sharp(plain).withIccProfile('p3').jpeg(best).toFile(join(dir, 'p3.jpg'));
  await sharp(plain).withIccProfile(profile).jpeg(best).toFile(join(dir, 'adobe-rgb.jpg'));
  await sharp(plain).withIccProfile(profile).png().toFile(join(dir, 'adobe-rgb.png'));
  await sharp(plain).toColourspace('cmyk').withIccProfile('cmyk').jpeg(best).toFile(join(dir, 'cmyk.jpg'));
  await sharp(plain).toColourspace('lab').tiff({ compression: 'lzw' }).toFile(join(dir, 'lab.tif'));
  await sharp(plain).toColourspace('rgb16').png().toFile(join(dir, 'sixteen-bit.png'));
  await sharp(plain).greyscale().jpeg(best).toFile(join(dir, 'grey.jpg'));
};

const kinds = async (dir) => {
  const photo = () => sharp(picture).removeAlpha().withExif(exif);
  await photo().jpeg().toFile(join(dir, 'photo.jpg'));
  await photo().jpeg({ progressive: true }).toFile(join(dir, 'progressive.jpg'));
  await photo().png().toFile(join(dir, 'photo.png'));
  await photo().webp().toFile(join(dir, 'photo.webp'));
  await photo().avif({ effort: 2 }).toFile(join(dir, 'photo.avif'));
  await photo().tiff({ compression: 'lzw' }).toFile(join(dir, 'photo.tif'));
  await photo().gif().toFile(join(dir, 'still.gif'));
  await photo().resize(2400).jpeg().toFile(join(dir, 'large.jpg'));
  writeFileSync(join(dir, 'webp-inside.jpg'), readFileSync(join(dir, 'photo.webp')));
  writeFileSync(join(dir, 'no-ending'), readFileSync(join(dir, 'photo.jpg')));
  const hole = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><circle cx="200" cy="150" r="90" fill="#c83232"/></svg>`;
  await sharp(Buffer.from(hole)).png().toFile(join(dir, 'alpha.png'));
  const photoBytes = readFileSync(join(dir, 'photo.jpg'));
  // Some cameras write padding before the end marker. The picture is complete.
  writeFileSync(
    join(dir, 'padded.jpg'),
    Buffer.concat([photoBytes.subarray(0, -2), Buffer.alloc(24), photoBytes.subarray(-2)]),
  );
  writeFileSync(join(dir, 'trailer.jpg'), Buffer.concat([photoBytes, Buffer.from('MotionPhoto_Data'.repeat(50))]));
};

const heic = (dir, bad) => {
  try {
    execFileSync('heif-enc', ['-q', '85', '-o', join(dir, 'photo.heic'), join(dir, 'photo.jpg')], { stdio: 'ignore' });
  } catch {
    return;
  }
  const whole = readFileSync(join(dir, 'photo.heic'));
  writeFileSync(join(bad, 'truncated.heic'), whole.subarray(0, -600));
};

const refused = async (dir, good) => {
  const photo = readFileSync(join(good, 'photo.jpg'));
  const write = (name, content) => writeFileSync(join(dir, name), content);
  write('truncated.jpg', photo.subarray(0, Math.round(photo.length * 0.7)));
  write('truncated.png', readFileSync(join(good, 'photo.png')).subarray(0, -700));
  write('truncated.webp', readFileSync(join(good, 'photo.webp')).subarray(0, -900));
  write('truncated.avif', readFileSync(join(good, 'photo.avif')).subarray(0, -500));
  write('empty.jpg', '');
  write('text.jpg', 'Dear reader, this is a letter and not a photo at all.\n');
  write('drawing.png', picture);
  write('page.jpg', '%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\n%%EOF\n');
  write('bitmap.bmp', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]));
  const damaged = Buffer.from(photo);
  // A marker inside the picture data is damage that decoders notice.
  for (let i = 0; i < 40; i += 2) damaged.writeUInt16BE(0xffc4, Math.round(photo.length * 0.8) + i);
  write('damaged.jpg', damaged);
  await sharp({ create: { width: 16, height: 16, channels: 3, background: '#888' } })
    .png()
    .toFile(join(dir, 'tiny.png'));
  await sharp({ create: { width: 4000, height: 30, channels: 3, background: '#888' } })
    .png()
    .toFile(join(dir, 'strip.png'));
  const frame = (background) => ({ create: { width: 240, height: 240, channels: 3, background } });
  const frames = await Promise.all(['#c83232', '#3250c8'].map((colour) => sharp(frame(colour)).png().toBuffer()));
  const animation = () => sharp(frames, { join: { animated: true } });
  await animation().gif().toFile(join(dir, 'animated.gif'));
  await animation().webp().toFile(join(dir, 'animated.webp'));
};

const folders = async (dir, good) => {
  const photo = readFileSync(join(good, 'photo.jpg'));
  const put = (path, content = photo) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  put('no-photos/notes.txt', 'three boxes in the cellar');
  put('no-photos/invoice.pdf', '%PDF-1.4\n');
  put('nested/shoes/IMG_10.jpg');
  put('nested/shoes/IMG_2.jpg');
  put('nested/shoes/left/IMG_1.jpg');
  put('nested/lamp/front');
  put('nested/lamp/broken.jpg', 'not a photo');
  put('nested/lamp/notes.txt', 'bought 2019');
  for (const name of ['._IMG_2.jpg', '.DS_Store', 'Thumbs.db', 'desktop.ini', 'IMG_2.AAE'])
    put(`nested/shoes/${name}`, 'x');
  put('nested/shoes/IMG_2.MOV', Buffer.from('\0\0\0\x14ftypqt  \0\0\0\0qt  ', 'latin1'));
  put('nested/.hidden/secret.jpg');
  put('nested/__MACOSX/shoes/._IMG_2.jpg', 'x');
  try {
    symlinkSync(join(dir, 'nested'), join(dir, 'nested/shoes/loop'), 'dir');
  } catch {
    // Windows lets only some users create links.
  }
  for (let i = 1; i <= 30; i++) {
    const colour = { r: (i * 67) % 256, g: (i * 151) % 256, b: (i * 29) % 256 };
    const small = sharp({ create: { width: 320, height: 240, channels: 3, background: colour } });
    put(`many/photo ${i}.jpg`, await small.jpeg().toBuffer());
  }
};

export const makeFixtures = async (dir) => {
  const [good, colour, bad] = ['good', 'colour', 'bad'].map((name) => join(dir, name));
  for (const folder of [good, colour, bad]) mkdirSync(folder, { recursive: true });
  await orientations(good);
  await kinds(good);
  await colours(colour);
  heic(good, bad);
  await refused(bad, good);
  await folders(join(dir, 'folders'), good);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dir = process.argv[2];
  if (!dir || existsSync(join(dir, 'good'))) {
    console.error('usage: node scripts/makeFixtures.mjs <folder that has none yet>');
    process.exit(2);
  }
  await makeFixtures(dir);
}
