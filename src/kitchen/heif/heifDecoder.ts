import { createRequire } from 'node:module';
import type { DeepPixels } from '../pixels.ts';
import { knownDecoder, replaceInverseTransforms } from './inverseTransform.ts';

/**
 * The functions of libheif's C interface that are used here. The JavaScript wrapper would copy the picture twice, so
 * that a 200-megapixel photo would need 2.2 GB instead of 1.3 GB.
 */
type LibHeif = {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
  _heif_context_alloc(): number;
  _heif_context_read_from_memory_without_copy(
    error: number,
    context: number,
    at: number,
    bytes: number,
    options: number,
  ): void;
  _heif_context_get_primary_image_handle(error: number, context: number, out: number): void;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_luma_bits_per_pixel(handle: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, out: number): void;
  _heif_image_handle_get_list_of_thumbnail_IDs(handle: number, out: number, count: number): number;
  _heif_image_handle_get_thumbnail(error: number, handle: number, id: number, out: number): void;
  _heif_decoding_options_alloc(): number;
  _heif_decoding_options_free(options: number): void;
  _heif_decode_image(
    error: number,
    handle: number,
    out: number,
    colorspace: number,
    chroma: number,
    options: number,
  ): void;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_plane_readonly(image: number, channel: number, strideOut: number): number;
};

const rgb = { colorspace: 1, channel: 10 } as const;
/** The chroma codes of interleaved samples with 3 and 4 channels. Deep samples have 16 bits each. */
const chromaCodes = { plain: { 3: 10, 4: 11 }, deep: { 3: 14, 4: 15 } } as const;
/** The offset of `convert_hdr_to_8bit` in heif_decoding_options. */
const toEightBitOffset = 20;
/** The offset of `strict_decoding`, which makes missing parts an error. */
const strictOffset = 21;

export class HeifError extends Error {
  override readonly name = 'HeifError';
}

/** The pixels are rotated as the container says. They are in the decoder's memory and valid until the photo is closed. */
export type HeifPhoto = {
  width: number;
  height: number;
  icc: Buffer | null;
  /** With `keepDepth`, samples of more than eight bits are not reduced to eight. */
  decode(keepDepth: boolean): DeepPixels;
  decodeThumbnail(): DeepPixels | null;
  close(): void;
};

type Decoder = { lib: LibHeif; fresh: Uint8Array };
let loaded: Decoder | undefined;

/** Emscripten calls `instantiateWasm` with the module as `this`, whose `wasmBinary` has the code of the decoder. */
type CreateLibHeif = (options: {
  instantiateWasm(
    this: { wasmBinary: Uint8Array<ArrayBuffer> },
    imports: WebAssembly.Imports,
    onInstance: (instance: WebAssembly.Instance) => void,
  ): WebAssembly.Exports;
}) => LibHeif;

/**
 * Starts a decoder with memory of its own. The WebAssembly module is CommonJS and has 2 MB, so it is loaded only when it
 * is needed. `table` has the functions that the decoder calls indirectly.
 */
export const startDecoder = () => {
  const createLib = createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif-bundle.js') as CreateLibHeif;
  let exports: WebAssembly.Exports = {};
  let wasmBytes = 0;
  const lib = createLib({
    instantiateWasm(imports, onInstance) {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(this.wasmBinary), imports);
      ({ exports } = instance);
      wasmBytes = this.wasmBinary.length;
      onInstance(instance);
      return exports;
    },
  });
  const parts = Object.values(exports);
  const memory = parts.find((part) => part instanceof WebAssembly.Memory);
  const table = parts.find((part) => part instanceof WebAssembly.Table);
  return { lib, wasmBytes, memory, table, allocate: (bytes: number) => lib._malloc(bytes) };
};

const loadHeifDecoder = (): Decoder => {
  const { lib, wasmBytes, memory, table, allocate } = startDecoder();
  if (wasmBytes === knownDecoder.wasmBytes && memory && table) replaceInverseTransforms(memory, table, allocate);
  return { lib, fresh: lib.HEAPU8.slice() };
};

/**
 * Restores the decoder's initial memory. Without this, undecoded parts of the next photo would show parts of this
 * photo.
 */
const resetDecoderMemory = ({ lib, fresh }: Decoder): void => {
  lib.HEAPU8.set(fresh);
  lib.HEAPU8.fill(0, fresh.length);
};

const createLibCalls = (lib: LibHeif) => {
  const scratch = lib._malloc(32);
  const readUint32 = (at: number): number => new DataView(lib.HEAPU8.buffer).getUint32(at, true);
  const readCString = (at: number): string => {
    const end = lib.HEAPU8.indexOf(0, at);
    return Buffer.from(lib.HEAPU8.subarray(at, end)).toString('utf8');
  };
  return {
    word: readUint32,
    out: scratch + 16,
    /** Runs a C function that returns an error struct. Throws `HeifError` if the code in it is not 0. */
    check(call: (error: number) => void): void {
      call(scratch);
      if (readUint32(scratch) !== 0) throw new HeifError(readCString(readUint32(scratch + 8)));
    },
  };
};
type Calls = ReturnType<typeof createLibCalls>;

const readColourProfile = (lib: LibHeif, calls: Calls, handle: number): Buffer | null => {
  const size = lib._heif_image_handle_get_raw_color_profile_size(handle);
  if (size === 0) return null;
  const at = lib._malloc(size);
  try {
    calls.check((error) => lib._heif_image_handle_get_raw_color_profile(error, handle, at));
    return Buffer.from(lib.HEAPU8.slice(at, at + size));
  } finally {
    lib._free(at);
  }
};

/** Removes the padding of rows in place, so that no second picture is needed. */
const removeRowPadding = (
  heap: Uint8Array,
  at: number,
  { stride, row, rows }: { stride: number; row: number; rows: number },
): Buffer => {
  if (stride !== row) {
    for (let y = 1; y < rows; y++) heap.copyWithin(at + y * row, at + y * stride, at + y * stride + row);
  }
  return Buffer.from(heap.buffer, at, row * rows);
};

const toSamples = (data: Buffer, bits: number): Buffer | Uint16Array =>
  bits > 8 ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;

const decodeImageHandle = (lib: LibHeif, calls: Calls, handle: number, keepDepth: boolean): DeepPixels => {
  const channels = lib._heif_image_handle_has_alpha_channel(handle) === 0 ? 3 : 4;
  const bits = keepDepth ? Math.max(8, lib._heif_image_handle_get_luma_bits_per_pixel(handle)) : 8;
  const sampleBytes = bits > 8 ? 2 : 1;
  const chroma = chromaCodes[bits > 8 ? 'deep' : 'plain'][channels];
  const options = lib._heif_decoding_options_alloc();
  lib.HEAPU8[options + toEightBitOffset] = bits > 8 ? 0 : 1;
  lib.HEAPU8[options + strictOffset] = 1;
  try {
    calls.check((error) => lib._heif_decode_image(error, handle, calls.out, rgb.colorspace, chroma, options));
  } finally {
    lib._heif_decoding_options_free(options);
  }
  const image = calls.word(calls.out);
  const plane = lib._heif_image_get_plane_readonly(image, rgb.channel, calls.out);
  const [width, height] = [
    lib._heif_image_get_width(image, rgb.channel),
    lib._heif_image_get_height(image, rgb.channel),
  ];
  const data = removeRowPadding(lib.HEAPU8, plane, {
    stride: calls.word(calls.out),
    row: width * channels * sampleBytes,
    rows: height,
  });
  return { data: toSamples(data, bits), width, height, channels, maxValue: 2 ** bits - 1 };
};

const findThumbnailHandle = (lib: LibHeif, calls: Calls, handle: number): number | null => {
  if (lib._heif_image_handle_get_list_of_thumbnail_IDs(handle, calls.out, 1) === 0) return null;
  const id = calls.word(calls.out);
  calls.check((error) => lib._heif_image_handle_get_thumbnail(error, handle, id, calls.out));
  return calls.word(calls.out);
};

/**
 * Opens a HEIC file. Each thread has one decoder, so the photo must be closed before another one is opened. Throws
 * `HeifError`.
 */
export const openHeifPhoto = (bytes: Uint8Array): HeifPhoto => {
  const decoder = (loaded ??= loadHeifDecoder());
  const { lib } = decoder;
  const close = (): void => resetDecoderMemory(decoder);
  try {
    const calls = createLibCalls(lib);
    const context = lib._heif_context_alloc();
    const file = lib._malloc(bytes.length);
    lib.HEAPU8.set(bytes, file);
    calls.check((error) => lib._heif_context_read_from_memory_without_copy(error, context, file, bytes.length, 0));
    calls.check((error) => lib._heif_context_get_primary_image_handle(error, context, calls.out));
    const handle = calls.word(calls.out);
    return {
      width: lib._heif_image_handle_get_width(handle),
      height: lib._heif_image_handle_get_height(handle),
      icc: readColourProfile(lib, calls, handle),
      decode: (keepDepth) => decodeImageHandle(lib, calls, handle, keepDepth),
      decodeThumbnail: () => {
        const thumbnail = findThumbnailHandle(lib, calls, handle);
        return thumbnail === null ? null : decodeImageHandle(lib, calls, thumbnail, false);
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};
