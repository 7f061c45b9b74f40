const EXTENDED_16 = 126
const EXTENDED_64 = 127

/** Reads the masked frames that a browser sends. Messages in several frames are not supported. */
export function createFrameReader(
  onFrame: (kind: number, body: Buffer) => void,
): (bytes: Buffer) => void {
  let waiting = Buffer.alloc(0)
  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes])
    for (;;) {
      const frame = readFrame(waiting)
      if (frame === null) return
      waiting = waiting.subarray(frame.end)
      onFrame(frame.kind, frame.body)
    }
  }
}

function readFrame(bytes: Buffer): { kind: number; body: Buffer; end: number } | null {
  const [kind, second] = bytes
  if (kind === undefined || second === undefined) return null
  const short = second & 0x7f
  const maskAt = short === EXTENDED_64 ? 10 : short === EXTENDED_16 ? 4 : 2
  if (bytes.length < maskAt + 4) return null
  const length =
    short === EXTENDED_64
      ? Number(bytes.readBigUInt64BE(2))
      : short === EXTENDED_16
        ? bytes.readUInt16BE(2)
        : short
  const end = maskAt + 4 + length
  if (bytes.length < end) return null
  const mask = bytes.subarray(maskAt, maskAt + 4)
  const body = bytes.subarray(maskAt + 4, end).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return { kind, body: Buffer.from(body), end }
}
