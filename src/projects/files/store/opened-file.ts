import type { Readable } from 'node:stream'

/** The chunks of a new text. */
export type TextChunks = Iterable<string> | AsyncIterable<string>

/** A file at the time when it was opened. It must be disposed of, or its stream read or destroyed. */
export type OpenedFile = AsyncDisposable & {
  size: number
  modifiedAt: Date
  /** Reads up to this many bytes from the start; without a limit the whole file. */
  read(maxBytes?: number): Promise<Buffer>
  /** Streams the file and closes it at the end. */
  stream(): Readable
}
