import type { FileHandle } from 'node:fs/promises'

/** The beginning of a file as text, and what is wrong with it. */
export type FileText = { text: string; problem: 'binary' | 'encoding' | 'cut' | null }

const UTF8_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads up to `mostBytes`; what is longer is cut where a line ends. The handle stays open. */
export async function readFileText(handle: FileHandle, mostBytes: number): Promise<FileText> {
  // One more than is wanted tells whether there is more.
  const buffer = Buffer.allocUnsafe(Math.min(mostBytes, (await handle.stat()).size) + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return decode(buffer.subarray(0, Math.min(length, mostBytes)), length <= mostBytes)
}

function decode(bytes: Buffer, isWhole: boolean): FileText {
  if (bytes.includes(0)) return { text: '', problem: 'binary' }
  const whole = isWhole ? bytes : bytes.subarray(0, findCutPosition(bytes))
  try {
    return { text: UTF8_DECODER.decode(whole), problem: isWhole ? null : 'cut' }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { text: '', problem: 'encoding' }
  }
}

/** Where a text may be cut; a file without a single line is cut anywhere but inside a character. */
function findCutPosition(bytes: Buffer): number {
  const end = bytes.lastIndexOf(10) + 1
  if (end > 0) return end
  let cut = bytes.length
  while (cut > bytes.length - 4 && ((bytes[cut] ?? bytes[cut - 1] ?? 0) & 0xc0) === 0x80) cut -= 1
  return Math.max(0, cut - 1)
}
