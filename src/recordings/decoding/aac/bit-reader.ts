/** A packet of sound cannot be decoded. */
export class DamagedSound extends Error {}

/** Reads bits from bytes, the most significant bit first. Throws `DamagedSound` after the end. */
export type BitReader = ReturnType<typeof createBitReader>

export function createBitReader(bytes: Uint8Array) {
  const end = bytes.length * 8
  let position = 0

  const bit = (): number => {
    if (position >= end) throw new DamagedSound('the packet ends too early')
    const value = (bytes[position >> 3]! >> (7 - (position & 7))) & 1
    position += 1
    return value
  }
  return {
    bit,
    /** The next `count` bits as a number, at most 24. */
    bits(count: number): number {
      if (position + count > end) throw new DamagedSound('the packet ends too early')
      let value = 0
      for (let left = count; left > 0;) {
        const available = 8 - (position & 7)
        const taken = Math.min(available, left)
        const part = (bytes[position >> 3]! >> (available - taken)) & ((1 << taken) - 1)
        value = (value << taken) | part
        position += taken
        left -= taken
      }
      return value
    },
    skip(count: number): void {
      if (position + count > end) throw new DamagedSound('the packet ends too early')
      position += count
    },
    alignToByte(): void {
      position = (position + 7) & ~7
    },
    bitsLeft: () => end - position,
  }
}
