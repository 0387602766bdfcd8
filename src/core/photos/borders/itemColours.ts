/** One colour of a photo, as the kitchen stores it. */
type PaletteColour = { rgb: readonly [number, number, number]; share: number; edgeShare: number };

const parsePalette = (palette: string): PaletteColour[] => {
  const bytes = Buffer.from(palette, 'hex');
  const readByte = (at: number): number => bytes[at] ?? 0;
  return Array.from({ length: bytes.length / 5 }, (_, nth) => ({
    rgb: [readByte(5 * nth), readByte(5 * nth + 1), readByte(5 * nth + 2)],
    share: readByte(5 * nth + 3),
    edgeShare: readByte(5 * nth + 4),
  }));
};

/** A camera multiplies each channel by a factor that depends on the light. In logarithms it is a sum. */
type Factors = readonly [number, number, number];

const minValue = 4;
const toLogarithms = ({ rgb: [red, green, blue] }: PaletteColour): Factors => [
  Math.log(Math.max(minValue, red)),
  Math.log(Math.max(minValue, green)),
  Math.log(Math.max(minValue, blue)),
];

/** Between two photos on one table, the camera changes its brightness and its hue at most this much, as logarithms. */
const [maxBrightness, maxHue] = [0.35, 0.12];

const subtract = (one: Factors, other: Factors): Factors => [one[0] - other[0], one[1] - other[1], one[2] - other[2]];

const isSmallChange = ([red, green, blue]: Factors): boolean => {
  const mean = (red + green + blue) / 3;
  if (Math.abs(mean) >= maxBrightness) return false;
  return Math.max(Math.abs(red - mean), Math.abs(green - mean), Math.abs(blue - mean)) < maxHue;
};

type Weighted = { colour: Factors; weight: number };

const computeMeanColour = (colours: readonly Weighted[]): { mean: Factors; weight: number } => {
  let [red, green, blue, all] = [0, 0, 0, 0];
  for (const { colour, weight } of colours) {
    red += weight * colour[0];
    green += weight * colour[1];
    blue += weight * colour[2];
    all += weight;
  }
  return { mean: [red / all, green / all, blue / all], weight: all };
};

const listEdgeColours = (palette: readonly PaletteColour[]): Weighted[] =>
  palette.flatMap((own) => (own.edgeShare > 0 ? [{ colour: toLogarithms(own), weight: own.edgeShare }] : []));

/** With this many photos, the result hardly changes any more. */
const maxPhotos = 50;
const tableRounds = 3;

/** Returns the colour that the edges of most photos have. */
const findTableColour = (photos: readonly (readonly PaletteColour[] | null)[]): Factors | null => {
  const step = Math.ceil(photos.length / maxPhotos);
  const edges = photos.flatMap((palette, at) => (palette && at % step === 0 ? [listEdgeColours(palette)] : []));
  const all = edges.flat();
  const computeNear = (table: Factors) =>
    computeMeanColour(all.filter(({ colour }) => isSmallChange(subtract(colour, table))));
  const [best] = edges
    .flatMap((own) => own.toSorted((a, b) => b.weight - a.weight).slice(0, 1))
    .map(({ colour }) => computeNear(colour))
    .toSorted((a, b) => b.weight - a.weight);
  let table = best?.mean ?? null;
  for (let round = 1; table !== null && round < tableRounds; round += 1) table = computeNear(table).mean;
  return table;
};

/** If less of the edge shows the table, it is hidden. */
const minTableEdge = 0.12 * 255;

/** Returns how the camera changed the colours of a photo, as logarithms. */
const findChange = (palette: readonly PaletteColour[], table: Factors): Factors => {
  const near = palette.flatMap((own) => {
    const change = subtract(toLogarithms(own), table);
    return isSmallChange(change) ? [{ colour: change, weight: own.edgeShare }] : [];
  });
  const { mean, weight } = computeMeanColour(near);
  return weight < minTableEdge ? [0, 0, 0] : mean;
};

/** Brightness and two hues, in which equal distances look about equally different. */
const toSeenColour = ([red, green, blue]: Factors): Factors => [
  0.27 * (0.3 * red + 0.59 * green + 0.11 * blue),
  0.6 * (red - green),
  0.24 * (red + green - 2 * blue),
];

const toFactors = ([red, green, blue]: Factors): Factors => [Math.exp(red), Math.exp(green), Math.exp(blue)];

/** Colours that are closer to the table than this belong to the table. */
const minItemDistance = 7;
/** Colours that are further apart than this are equally different. */
const maxDistance = 12;

/** The colours of the item in a photo: three numbers and the share of each. The shares have the sum 1. */
type ItemColours = readonly number[];
const numbersPerColour = 4;

const listItemColours = (palette: readonly PaletteColour[], table: Factors): ItemColours => {
  const [red, green, blue] = toFactors(findChange(palette, table));
  const tableColour = toSeenColour(toFactors(table));
  const own = palette.flatMap(({ rgb, share }) => {
    const seen = toSeenColour([rgb[0] / red, rgb[1] / green, rgb[2] / blue]);
    return Math.hypot(...subtract(seen, tableColour)) > minItemDistance ? [{ seen, share }] : [];
  });
  const all = own.reduce((sum, { share }) => sum + share, 0);
  return own.flatMap(({ seen, share }) => [...seen, share / all]);
};

/**
 * Returns how far the colours of each photo are from the nearest colours of the other one, as a mean. `nearestOfOther` is
 * memory for the distances of the other one.
 */
const measureBothWays = (one: ItemColours, other: ItemColours, nearestOfOther: Float64Array): number => {
  nearestOfOther.fill(maxDistance ** 2);
  let sum = 0;
  for (let at = 0; at < one.length; at += numbersPerColour) {
    const [light, red, blue, share] = [one[at] ?? 0, one[at + 1] ?? 0, one[at + 2] ?? 0, one[at + 3] ?? 0];
    let nearest = maxDistance ** 2;
    for (let to = 0, nth = 0; to < other.length; to += numbersPerColour, nth += 1) {
      const first = light - (other[to] ?? 0);
      const second = red - (other[to + 1] ?? 0);
      const third = blue - (other[to + 2] ?? 0);
      const distance = first * first + second * second + third * third;
      if (distance < nearest) nearest = distance;
      if (distance < (nearestOfOther[nth] ?? 0)) nearestOfOther[nth] = distance;
    }
    sum += share * Math.sqrt(nearest);
  }
  for (let at = 3, nth = 0; at < other.length; at += numbersPerColour, nth += 1)
    sum += (other[at] ?? 0) * Math.sqrt(nearestOfOther[nth] ?? 0);
  return sum / 2;
};

/**
 * Compares the colours of the items in two photos of a drop: 0 for equal colours, 1 for unlike ones. The colour of the
 * table shows how the light changed between the photos, so small differences of alike items remain. Returns null if a
 * photo has no palette or shows nothing but the table.
 */
export const compareItemColours = (
  palettes: readonly (string | null)[],
): ((one: number, other: number) => number | null) => {
  const parsed = palettes.map((palette) => (palette === null ? null : parsePalette(palette)));
  const table = findTableColour(parsed);
  const items = parsed.map((palette) => (palette === null || table === null ? [] : listItemColours(palette, table)));
  const memory = new Float64Array(items.reduce((most, { length }) => Math.max(most, length), 0));
  return (one, other) => {
    const [a, b] = [items[one], items[other]];
    if (!a?.length || !b?.length) return null;
    return measureBothWays(a, b, memory) / maxDistance;
  };
};
