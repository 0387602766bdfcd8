/** Bytes of WebAssembly. Only the instructions that the decoder's transforms need are here. */
export type WasmCode = readonly number[];

const encodeUnsigned = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...encodeUnsigned(Math.floor(value / 128))];
const encodeSigned = (value: number): number[] =>
  value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...encodeSigned(value >> 7)];

const simd = (instruction: number, ...immediates: number[]): WasmCode => [
  0xfd,
  ...encodeUnsigned(instruction),
  ...immediates,
];
const simdAt = (instruction: number, offset: number, ...immediates: number[]): WasmCode =>
  simd(instruction, 0, ...encodeUnsigned(offset), ...immediates);

/** `get` and `set` take the number of a local variable. */
export const wasm = {
  get: (local: number): WasmCode => [0x20, local],
  set: (local: number): WasmCode => [0x21, local],
  constant: (value: number): WasmCode => [0x41, ...encodeSigned(value)],
  lessThan: [0x48],
  add: [0x6a],
  multiply: [0x6c],
  shiftRightUnsigned: [0x76],
  /** Runs `body` at least once. */
  repeatWhile: (body: WasmCode, condition: WasmCode): WasmCode => [0x03, 0x40, ...body, ...condition, 0x0d, 0, 0x0b],
  onlyIf: (condition: WasmCode, body: WasmCode): WasmCode => [...condition, 0x04, 0x40, ...body, 0x0b],
} as const;

/** Instructions on vectors of 16 bytes, with the names of WebAssembly's text format. */
export const vectors = {
  load: (offset: number): WasmCode => simdAt(0x00, offset),
  load32Splat: (offset: number): WasmCode => simdAt(0x09, offset),
  load32Zero: (offset: number): WasmCode => simdAt(0x5c, offset),
  store: (offset: number): WasmCode => simdAt(0x0b, offset),
  /** Stores the first 4 or 8 bytes. */
  store32: (offset: number): WasmCode => simdAt(0x5a, offset, 0),
  store64: (offset: number): WasmCode => simdAt(0x5b, offset, 0),
  zero: simd(0x0c, ...new Array<number>(16).fill(0)),
  shuffle: (bytes: readonly number[]): WasmCode => simd(0x0d, ...bytes),
  or: simd(0x50),
  anyTrue: simd(0x53),
  int32Splat: simd(0x11),
  int32Add: simd(0xae),
  int32ShiftRight: simd(0xac),
  /** Multiplies eight pairs of 16-bit numbers and adds every two products. */
  int32DotInt16: simd(0xba),
  int16NarrowInt32: simd(0x85),
  uint8NarrowInt16: simd(0x66),
  int16ExtendLowUint8: simd(0x89),
  int32ExtendLowUint16: simd(0xa9),
} as const;

const encodeSection = (id: number, content: WasmCode): WasmCode => [id, ...encodeUnsigned(content.length), ...content];
const encodeName = (name: string): WasmCode => [name.length, ...Buffer.from(name, 'latin1')];

type Locals = { parameters: number; numbers: number; vectors: number };

/**
 * Compiles functions that return nothing and work on the memory of another module. The parameters have the first numbers
 * of the local variables, then other numbers follow, then vectors.
 */
export const compileWasmFunctions = (
  bodies: readonly WasmCode[],
  locals: Locals,
  memory: WebAssembly.Memory,
): WebAssembly.ExportValue[] => {
  const [int32, vector] = [0x7f, 0x7b];
  const functions = bodies.map((body) => [2, locals.numbers, int32, locals.vectors, vector, ...body, 0x0b]);
  const parameters = new Array<number>(locals.parameters).fill(int32);
  const bytes = Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...encodeSection(1, [1, 0x60, parameters.length, ...parameters, 0]),
    ...encodeSection(2, [1, ...encodeName('decoder'), ...encodeName('memory'), 2, 0, 0]),
    ...encodeSection(3, [bodies.length, ...bodies.map(() => 0)]),
    ...encodeSection(7, [bodies.length, ...bodies.flatMap((_, at) => [...encodeName(`${at}`), 0, at])]),
    ...encodeSection(10, [bodies.length, ...functions.flatMap((code) => [...encodeUnsigned(code.length), ...code])]),
  ]);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { decoder: { memory } });
  return Object.values(exports);
};
