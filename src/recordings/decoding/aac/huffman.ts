import { DamagedSound, type BitReader } from './bit-reader.ts'
import type { HuffmanCode } from './huffman-codes.ts'

/** Reads the next symbol of a canonical code: codes of one length follow each other, and so do the lengths. */
export function readSymbol(reader: BitReader, { counts, symbols }: HuffmanCode): number {
  let code = 0
  let first = 0
  let index = 0
  for (let length = 1; length < counts.length; length += 1) {
    code |= reader.bit()
    const count = counts[length]!
    if (code - first < count) return symbols[index + code - first]!
    index += count
    first = (first + count) << 1
    code <<= 1
  }
  throw new DamagedSound('the packet has an unknown code')
}
