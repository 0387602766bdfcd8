type Row = readonly [number, number, number];
export type ColourSpace = 'p3' | 'bt2020';
export type Curve = 'srgb' | 'pq' | 'hlg';

const fromSrgbPrimaries: Record<ColourSpace, readonly Row[]> = {
  p3: [
    [0.822462, 0.177538, 0],
    [0.033194, 0.966806, 0],
    [0.017083, 0.072397, 0.91052],
  ],
  bt2020: [
    [0.627404, 0.329283, 0.043313],
    [0.069097, 0.91954, 0.011362],
    [0.016391, 0.088013, 0.895595],
  ],
};

const decodeSrgb = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encodeSrgb = (light: number): number => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055);
const encodePq = (light: number): number => {
  const power = ((light * 203) / 10_000) ** 0.1593017578125;
  return ((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power)) ** 78.84375;
};
const encodeHlg = (light: number): number =>
  light <= 1 / 12 ? Math.sqrt(3 * light) : 0.17883277 * Math.log(12 * light - 0.28466892) + 0.55991073;

/**
 * Encodes RGB pixels of eight bits in sRGB as samples of 16 bits with other primaries and another curve. White has 203
 * nits.
 */
export const encodeWithCurve = (srgb: Uint8Array, space: ColourSpace, curve: Curve): Uint16Array => {
  const encoded = new Uint16Array(srgb.length);
  const rows = fromSrgbPrimaries[space];
  for (let at = 0; at < srgb.length; at += 3) {
    const light = [0, 1, 2].map((channel) => decodeSrgb((srgb[at + channel] ?? 0) / 255));
    const [red = 0, green = 0, blue = 0] = light;
    const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    // The inverse of the display curve of HLG for a peak of 1,000 nits.
    const scene = 0.203 * Math.max(1e-9, 0.203 * luminance) ** (1 / 1.2 - 1);
    rows.forEach((row, channel) => {
      const value = row[0] * red + row[1] * green + row[2] * blue;
      const code = curve === 'pq' ? encodePq(value) : curve === 'hlg' ? encodeHlg(value * scene) : encodeSrgb(value);
      encoded[at + channel] = Math.round(code * 65_535);
    });
  }
  return encoded;
};
