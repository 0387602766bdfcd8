/** The package has no types. */
declare module 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.js' {
  type TesseractApi = {
    /** Returns 0 if the engine started. */
    Init(dataPath: null, language: string, engine: number): number;
    SetVariable(name: string, value: string): void;
    /** Reads the picture in the file `/input`; returns 1 if it cannot be read. */
    SetImageFile(exifOrientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetJSONText(): string;
  };
  type TesseractCore = {
    FS: { writeFile(path: string, bytes: Uint8Array): void };
    TessBaseAPI: new () => TesseractApi;
  };
  const createCore: (options: { wasmBinary: Uint8Array }) => Promise<TesseractCore>;
  export default createCore;
}
