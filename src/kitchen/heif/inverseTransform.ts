import { compileWasmFunctions, vectors, wasm, type WasmCode } from './wasmCode.ts';

const sizes = [8, 16, 32] as const;
type Size = (typeof sizes)[number];

/**
 * Where this build of the decoder has its functions `transform_8x8_add_8_fallback`, `transform_16x16_add_8_fallback` and
 * `transform_32x32_add_8_fallback` in its table. Another build keeps its own functions.
 */
export const knownDecoder = { wasmBytes: 1_422_377, slots: { 8: 2000, 16: 2001, 32: 2002 } } as const;

/** Column 0 of the transform matrix of H.265. All other cells have these values, too. */
const cosines = [
  ...[64, 90, 90, 90, 89, 88, 87, 85, 83, 82, 80, 78, 75, 73, 70, 67],
  ...[64, 61, 57, 54, 50, 46, 43, 38, 36, 31, 25, 22, 18, 13, 9, 4],
];

const readMatrixCell = (size: Size, row: number, column: number): number => {
  const angle = ((2 * column + 1) * row * (32 / size)) % 128;
  const mirrored = angle > 64 ? 128 - angle : angle;
  return mirrored > 32 ? -(cosines[64 - mirrored] ?? 0) : (cosines[mirrored] ?? 0);
};

/** The matrix with the cells of every two rows side by side, as `int32DotInt16` needs them. */
const createPairedMatrix = (size: Size): Int16Array =>
  Int16Array.from({ length: size * size }, (_, at) => {
    const [pair, rest] = [Math.floor(at / (2 * size)), at % (2 * size)];
    return readMatrixCell(size, 2 * pair + (rest % 2), Math.floor(rest / 2));
  });

/** Local variables: the parameters, then numbers, then vectors. `usedBytes` and `usedPairs` leave out coefficients of zero. */
const local = { target: 0, input: 1, stride: 2, usedPairs: 3, usedBytes: 4, left: 5, right: 6, count: 7, x: 8, y: 9 };
const vector = { sums: [10, 11, 12, 13], upper: 14, lower: 15 };
const locals = { parameters: 3, numbers: 7, vectors: 6 };

const get = (name: keyof typeof local): WasmCode => wasm.get(local[name]);
const set = (name: keyof typeof local, value: WasmCode): WasmCode => [...value, ...wasm.set(local[name])];
const plus = (value: WasmCode, other: WasmCode): WasmCode => [...value, ...other, ...wasm.add];
const times = (value: WasmCode, factor: number): WasmCode => [...value, ...wasm.constant(factor), ...wasm.multiply];
const half = (value: WasmCode, steps: number): WasmCode => [
  ...value,
  ...wasm.constant(steps),
  ...wasm.shiftRightUnsigned,
];
const increase = (name: keyof typeof local, by: number): WasmCode => set(name, plus(get(name), wasm.constant(by)));
const isLess = (value: WasmCode, end: WasmCode): WasmCode => [...value, ...end, ...wasm.lessThan];

/** Where the functions keep numbers in the decoder's memory: paired rows, results of the columns, and the matrix. */
type Places = { paired: number; between: number; matrix: number };

const interleaveInt16 = (from: 0 | 8): WasmCode =>
  vectors.shuffle([0, 2, 4, 6].flatMap((at) => [0, 1, 16, 17].map((byte) => byte + at + from)));

/** Writes eight columns of two rows side by side. */
const pairEightColumns = (size: Size, group: number): WasmCode => {
  const bothRows = [...wasm.get(vector.upper), ...wasm.get(vector.lower)];
  const end = wasm.constant(32 * (group + 1));
  return [
    ...[...get('left'), ...vectors.load(16 * group), ...wasm.set(vector.upper)],
    ...[...get('left'), ...vectors.load(2 * size + 16 * group), ...wasm.set(vector.lower)],
    ...[...get('right'), ...bothRows, ...interleaveInt16(0), ...vectors.store(32 * group)],
    ...[...get('right'), ...bothRows, ...interleaveInt16(8), ...vectors.store(32 * group + 16)],
    ...wasm.onlyIf(
      [...bothRows, ...vectors.or, ...vectors.anyTrue],
      [
        ...set('usedPairs', plus(get('count'), wasm.constant(1))),
        ...wasm.onlyIf(isLess(get('usedBytes'), end), set('usedBytes', end)),
      ],
    ),
  ];
};

const pairRows = (size: Size, { paired }: Places): WasmCode => [
  ...[...set('usedPairs', wasm.constant(1)), ...set('usedBytes', wasm.constant(32))],
  ...[...set('left', get('input')), ...set('right', wasm.constant(paired))],
  ...wasm.repeatWhile(
    [
      ...Array.from({ length: size / 8 }, (_, group) => pairEightColumns(size, group)).flat(),
      ...[...increase('left', 4 * size), ...increase('right', 4 * size), ...increase('count', 1)],
    ],
    isLess(get('count'), wasm.constant(size / 2)),
  ),
];

type Product = {
  /** The matrix whose vectors are read, and the end of its rows in bytes. */
  left: number;
  leftEnd: WasmCode;
  /** The matrix whose pairs are read: its place, and the bytes between its rows and between its pairs. */
  right: number;
  rightRow: number;
  rightPair: number;
  pairs: WasmCode;
  store: (sum: number, row: number) => WasmCode;
};

/** Multiplies two matrices. Four rows of four sums are made at a time, because each loaded vector then serves four times. */
const multiplyMatrices = (size: Size, product: Product): WasmCode => {
  const addProducts = vector.sums.flatMap((sum, row) => [
    ...[...wasm.get(sum), ...wasm.get(vector.upper), ...get('right'), ...vectors.load32Splat(row * product.rightRow)],
    ...[...vectors.int32DotInt16, ...vectors.int32Add, ...wasm.set(sum)],
  ]);
  const addPair = [
    ...[...get('left'), ...vectors.load(0), ...wasm.set(vector.upper), ...addProducts],
    ...[...increase('left', 4 * size), ...increase('right', product.rightPair), ...increase('count', -1)],
  ];
  const makeSixteenSums = [
    ...vector.sums.flatMap((sum) => [...vectors.zero, ...wasm.set(sum)]),
    ...set('left', plus(get('x'), wasm.constant(product.left))),
    ...set('right', plus(times(get('y'), product.rightRow), wasm.constant(product.right))),
    ...set('count', product.pairs),
    ...wasm.repeatWhile(addPair, get('count')),
    ...vector.sums.flatMap(product.store),
    ...increase('x', 16),
  ];
  const makeFourRows = [
    ...set('x', wasm.constant(0)),
    ...wasm.repeatWhile(makeSixteenSums, isLess(get('x'), product.leftEnd)),
    ...increase('y', 4),
  ];
  return [...set('y', wasm.constant(0)), ...wasm.repeatWhile(makeFourRows, isLess(get('y'), wasm.constant(size)))];
};

const roundSum = (sum: number, bits: number): WasmCode => [
  ...[...wasm.get(sum), ...wasm.constant(2 ** (bits - 1)), ...vectors.int32Splat, ...vectors.int32Add],
  ...[...wasm.constant(bits), ...vectors.int32ShiftRight],
];

const transformColumns = (size: Size, { paired, between, matrix }: Places): WasmCode =>
  multiplyMatrices(size, {
    left: paired,
    leftEnd: get('usedBytes'),
    right: matrix,
    rightRow: 4,
    rightPair: 4 * size,
    pairs: get('usedPairs'),
    store: (sum, row) => [
      ...plus(times(get('y'), 2 * size), half(get('x'), 1)),
      ...[...roundSum(sum, 7), ...vectors.zero, ...vectors.int16NarrowInt32],
      ...vectors.store64(between + row * 2 * size),
    ],
  });

const transformRowsAndAdd = (size: Size, { between, matrix }: Places): WasmCode =>
  multiplyMatrices(size, {
    left: matrix,
    leftEnd: wasm.constant(4 * size),
    right: between,
    rightRow: 2 * size,
    rightPair: 4,
    pairs: half(get('usedBytes'), 3),
    store: (sum, row) => [
      ...[...plus(get('y'), wasm.constant(row)), ...get('stride'), ...wasm.multiply],
      ...set('left', [...half(get('x'), 2), ...wasm.add, ...get('target'), ...wasm.add]),
      ...[...get('left'), ...roundSum(sum, 12), ...get('left'), ...vectors.load32Zero(0)],
      ...[...vectors.int16ExtendLowUint8, ...vectors.int32ExtendLowUint16, ...vectors.int32Add],
      ...[...vectors.zero, ...vectors.int16NarrowInt32, ...vectors.zero, ...vectors.uint8NarrowInt16],
      ...vectors.store32(0),
    ],
  });

/**
 * Replaces the decoder's inverse transforms, which take a third to a half of its time, by functions with SIMD. Their results
 * are the same, because H.265 defines every bit of them.
 */
export const replaceInverseTransforms = (
  memory: WebAssembly.Memory,
  table: WebAssembly.Table,
  allocate: (bytes: number) => number,
): void => {
  const shared = { paired: allocate(32 * 32 * 2), between: allocate(32 * 32 * 2) };
  const bodies = sizes.map((size) => {
    const cells = createPairedMatrix(size);
    const places = { ...shared, matrix: allocate(cells.byteLength) };
    new Int16Array(memory.buffer, places.matrix, cells.length).set(cells);
    return [...pairRows(size, places), ...transformColumns(size, places), ...transformRowsAndAdd(size, places)];
  });
  const functions = compileWasmFunctions(bodies, locals, memory);
  sizes.forEach((size, at) => table.set(knownDecoder.slots[size], functions[at]));
};
