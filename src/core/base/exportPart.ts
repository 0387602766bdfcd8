/** A part of an exported file, and how many rows of the export it contains. */
export type ExportPart = { text: string; rows: number };
