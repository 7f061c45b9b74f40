/** One field of a message. `true` is the varint 1; a list of fields is a nested message. */
export type Field = readonly [number: number, value: Value]
export type Value = number | boolean | string | Uint8Array | readonly Field[]

/** The values of each field number, in the message's order. */
export type DecodedMessage = Map<number, Array<number | Uint8Array>>

const VARINT = 0
const DELIMITED = 2
const utf8 = new TextEncoder()

export function encode(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(fields.map(encodeField))
}

function encodeField([number, value]: Field): Uint8Array {
  if (typeof value === 'number' || typeof value === 'boolean') {
    return Buffer.concat([varint(number * 8 + VARINT), varint(Number(value))])
  }
  const bytes = bytesOf(value)
  return Buffer.concat([varint(number * 8 + DELIMITED), varint(bytes.length), bytes])
}

function bytesOf(value: string | Uint8Array | readonly Field[]): Uint8Array {
  if (typeof value === 'string') return utf8.encode(value)
  return value instanceof Uint8Array ? value : encode(value)
}

/** Divides instead of shifting, because numbers here have more than 32 bits. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Uint8Array.from([...bytes, rest])
}

/** Null if the bytes are not a message of varints and delimited fields. A page may send any bytes. */
export function decode(bytes: Uint8Array): DecodedMessage | null {
  const message: DecodedMessage = new Map()
  let at = 0

  function readVarint(): number | null {
    let value = 0
    for (let factor = 1; at < bytes.length; factor *= 0x80) {
      const byte = bytes[at++] ?? 0
      value += (byte % 0x80) * factor
      if (byte < 0x80) return value
    }
    return null
  }
  function readValue(type: number): number | Uint8Array | null {
    const value = readVarint()
    if (value === null || type === VARINT) return value
    at += value
    return at > bytes.length ? null : bytes.subarray(at - value, at)
  }

  while (at < bytes.length) {
    const tag = readVarint()
    if (tag === null || ![VARINT, DELIMITED].includes(tag % 8)) return null
    const value = readValue(tag % 8)
    if (value === null) return null
    const number = Math.floor(tag / 8)
    message.set(number, [...(message.get(number) ?? []), value])
  }
  return message
}

/** The value at a path of field numbers; the first value if the field is repeated. */
export function valueAt(bytes: Uint8Array, ...path: number[]): number | Uint8Array | undefined {
  const [first, ...rest] = path
  if (first === undefined) return bytes
  const value = decode(bytes)?.get(first)?.[0]
  return value instanceof Uint8Array
    ? valueAt(value, ...rest)
    : rest.length === 0
      ? value
      : undefined
}

export function textAt(bytes: Uint8Array, ...path: number[]): string | undefined {
  const value = valueAt(bytes, ...path)
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined
}

export function numberAt(bytes: Uint8Array, ...path: number[]): number | undefined {
  const value = valueAt(bytes, ...path)
  return typeof value === 'number' ? value : undefined
}
