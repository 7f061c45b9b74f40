import type { OpenedFile } from './store/opened-file.ts'

/** The decoded text of a file, and why it is empty or incomplete. `cut`: the file is longer than the limit. */
export type FileText = { text: string; problem: 'binary' | 'encoding' | 'cut' | null }

const UTF8_DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads up to `maxBytes`. The text of a longer file ends after its last complete line. The file stays open. */
export async function readFileText(file: OpenedFile, maxBytes: number): Promise<FileText> {
  // Reads one byte more than the limit, to find out whether the file is longer.
  const bytes = await file.read(maxBytes + 1)
  return decode(bytes.subarray(0, maxBytes), bytes.length <= maxBytes)
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

/** The position after the last line break or, without one, after the last complete UTF-8 character. */
function findCutPosition(bytes: Buffer): number {
  const end = bytes.lastIndexOf(10) + 1
  if (end > 0) return end
  let cut = bytes.length
  while (cut > bytes.length - 4 && ((bytes[cut] ?? bytes[cut - 1] ?? 0) & 0xc0) === 0x80) cut -= 1
  return Math.max(0, cut - 1)
}
