/** How the supported kinds of files begin: bytes at a position. */
const SIGNATURES: ReadonlyArray<{ at: number; bytes: string }> = [
  { at: 0, bytes: 'RIFF' },
  { at: 0, bytes: 'RF64' },
  { at: 0, bytes: 'OggS' },
  { at: 0, bytes: 'ID3' },
  // Matroska and WebM.
  { at: 0, bytes: '\x1a\x45\xdf\xa3' },
  // MP4 and QuickTime begin with one of these boxes.
  ...['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].map((bytes) => ({ at: 4, bytes })),
]

/** False if the first bytes of a file show that it is none that this service reads. Cheap; decoders decide the rest. */
export function startsLikeRecording(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString(
    'latin1',
  )
  if (SIGNATURES.some((signature) => start.startsWith(signature.bytes, signature.at))) return true
  // The first packet of MP3 or AAC without a header: eleven bits are set.
  return bytes.length > 1 && bytes[0] === 0xff && (bytes[1]! & 0xe0) === 0xe0
}
