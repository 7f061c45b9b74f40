/**
 * The client's acknowledgement of a `captions_v2` message. Without it, the servers send the message again. It repeats
 * the utterance id and the version, which are the first fields of the message at one of two depths.
 */
export function acknowledgement(buffer) {
  const bytes = new Uint8Array(buffer)
  let at = 0
  const readVarint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 0x80) {
      const byte = bytes[at++]
      value += (byte % 0x80) * factor
      if (byte < 0x80) return value
    }
  }
  const [DELIMITED_1, VARINT_1, VARINT_2, VARINT_3] = [0x0a, 0x08, 0x10, 0x18]
  while (bytes[at] === DELIMITED_1) {
    at += 1
    readVarint()
  }
  if (bytes[at++] !== VARINT_1) return null
  const id = readVarint()
  if (bytes[at++] !== VARINT_2) return null
  const inner = [VARINT_1, ...varint(id), VARINT_2, ...varint(readVarint()), VARINT_3, 1]
  const middle = [DELIMITED_1, inner.length, ...inner]
  return Uint8Array.of(DELIMITED_1, middle.length, ...middle)
}

function varint(value) {
  const bytes = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  return [...bytes, rest]
}
