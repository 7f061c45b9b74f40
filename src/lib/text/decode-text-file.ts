/** Encodings that files declare with a byte order mark. */
const BYTE_ORDER_MARKS: ReadonlyArray<{ bytes: readonly number[]; encoding: string }> = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
]

/**
 * Decodes a text file by its byte order mark, otherwise as UTF-8. A file that is not UTF-8 at all is read as
 * Windows-1252, which older programs write. If only a few bytes are not UTF-8, they become replacement characters. Null
 * if the file has bytes that no text has.
 */
export function decodeTextFile(bytes: Uint8Array): string | null {
  const mark = BYTE_ORDER_MARKS.find((one) => one.bytes.every((byte, i) => bytes[i] === byte))
  const encoding = mark?.encoding ?? guessUtf16(bytes) ?? 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    if (mark !== undefined || bytes.includes(0)) return null
    const asUtf8 = new TextDecoder().decode(bytes)
    const replaced = asUtf8.match(/\ufffd/g)?.length ?? 0
    const decoded = asUtf8.match(/[\u0080-\ufffc]/g)?.length ?? 0
    return decoded > replaced ? asUtf8 : new TextDecoder('windows-1252').decode(bytes)
  }
}

/** UTF-16 without a mark has a NUL in every second byte of Latin text. */
function guessUtf16(bytes: Uint8Array): string | null {
  const start = bytes.subarray(0, 200)
  if (start.length < 4 || start.length % 2 !== 0) return null
  const even = start.filter((byte, i) => i % 2 === 0 && byte === 0).length
  const odd = start.filter((byte, i) => i % 2 === 1 && byte === 0).length
  const many = start.length * 0.4
  if (odd > many && even === 0) return 'utf-16le'
  return even > many && odd === 0 ? 'utf-16be' : null
}
