import { decodeSuccess, decodeFailure, type DecodeResult } from './decoding.ts'

/** If a double cannot represent a number exactly, the number stays a bigint, so that ids stay exact. */
type ProtobufIntegerOrBytes = number | bigint | Uint8Array

/** All values of each field, in the order of arrival. Sub-messages stay bytes until a caller decodes them. */
export type DecodedProtobufFields = ReadonlyMap<number, readonly ProtobufIntegerOrBytes[]>

const VARINT = 0
const FIXED_64 = 1
const DELIMITED = 2
const FIXED_32 = 5
const MAX_FIELDS = 50_000
const MAX_VARINT_BYTES = 10
/** This many bytes of seven bits fit exactly into a double. */
const EXACT_BYTES = 7
const MAX_NUMBER = 2 ** 29 - 1

const utf8 = new TextDecoder()

/** Decodes one level of a message. Nesting costs nothing, because the caller decodes only known paths. */
export function decodeFields(bytes: Uint8Array): DecodeResult<DecodedProtobufFields> {
  const fields = new Map<number, ProtobufIntegerOrBytes[]>()
  const cursor = { bytes, at: 0 }
  for (let count = 0; cursor.at < bytes.length; count += 1) {
    if (count === MAX_FIELDS) return decodeFailure('too large')
    const tag = readVarint(cursor)
    if (typeof tag !== 'number') return decodeFailure(tag === null ? 'cut off' : 'malformed')
    const number = Math.floor(tag / 8)
    if (number < 1 || number > MAX_NUMBER) return decodeFailure('malformed')
    const value = readValue(cursor, tag % 8)
    if (value === null) return decodeFailure('cut off')
    if (value === undefined) return decodeFailure('malformed')
    const known = fields.get(number)
    if (known) known.push(value)
    else fields.set(number, [value])
  }
  return decodeSuccess(fields)
}

type Cursor = { bytes: Uint8Array; at: number }

/** Reads the value of one field; null if the bytes end too early, undefined if they are invalid. */
function readValue(cursor: Cursor, type: number): ProtobufIntegerOrBytes | null | undefined {
  if (type === VARINT) return readVarint(cursor)
  if (type === FIXED_64) return readFixed(cursor, 8)
  if (type === FIXED_32) return readFixed(cursor, 4)
  if (type !== DELIMITED) return undefined
  const length = readVarint(cursor)
  if (typeof length !== 'number') return length === null ? null : undefined
  return take(cursor, length)
}

/** Reads a fixed-length field as a number, so that it is not mistaken for text. Hansard uses no such field. */
function readFixed(cursor: Cursor, length: 4 | 8): number | bigint | null {
  const bytes = take(cursor, length)
  return bytes && narrow(bytes.reduceRight((sum, byte) => sum * 0x100n + BigInt(byte), 0n))
}

function take(cursor: Cursor, length: number): Uint8Array | null {
  const end = cursor.at + length
  if (end > cursor.bytes.length) return null
  const taken = cursor.bytes.subarray(cursor.at, end)
  cursor.at = end
  return taken
}

function readVarint(cursor: Cursor): number | bigint | null | undefined {
  const start = cursor.at
  let value = 0
  for (let i = 0; i < MAX_VARINT_BYTES; i += 1) {
    const byte = cursor.bytes[cursor.at]
    if (byte === undefined) return null
    cursor.at += 1
    // Shifts are limited to 32 bits, so this multiplies.
    if (i < EXACT_BYTES) value += (byte % 0x80) * 0x80 ** i
    if (byte < 0x80)
      return i < EXACT_BYTES ? value : narrow(longVarint(cursor.bytes.subarray(start, cursor.at)))
  }
  return undefined
}

function longVarint(bytes: Uint8Array): bigint {
  const value = bytes.reduce((sum, byte, i) => sum + (BigInt(byte % 0x80) << BigInt(7 * i)), 0n)
  return BigInt.asUintN(64, value)
}

function narrow(value: bigint): number | bigint {
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value
}

export function readNumberField(
  fields: DecodedProtobufFields,
  fieldNumber: number,
): number | undefined {
  const value = fields.get(fieldNumber)?.at(-1)
  return typeof value === 'number' ? value : undefined
}

export function readBigIntField(
  fields: DecodedProtobufFields,
  fieldNumber: number,
): bigint | undefined {
  const value = fields.get(fieldNumber)?.at(-1)
  return value === undefined || value instanceof Uint8Array ? undefined : BigInt(value)
}

/** Invalid UTF-8 becomes replacement characters, because garbled text is better than lost text. */
export function readTextField(
  fields: DecodedProtobufFields,
  fieldNumber: number,
): string | undefined {
  const value = fields.get(fieldNumber)?.at(-1)
  return value instanceof Uint8Array ? utf8.decode(value) : undefined
}

export function readBytesFields(fields: DecodedProtobufFields, fieldNumber: number): Uint8Array[] {
  return (fields.get(fieldNumber) ?? []).filter((value) => value instanceof Uint8Array)
}

/** Every sub-message at the end of the path, through all repeated fields. Invalid sub-messages are skipped. */
export function findSubMessages(
  fields: DecodedProtobufFields,
  ...path: readonly number[]
): DecodedProtobufFields[] {
  let level: DecodedProtobufFields[] = [fields]
  for (const number of path) {
    level = level.flatMap((message) =>
      readBytesFields(message, number).flatMap((bytes) => {
        const inner = decodeFields(bytes)
        return inner.isDecoded ? [inner.value] : []
      }),
    )
  }
  return level
}

/** One field of a message to write. `true` is the varint 1; a list of fields is a nested message. */
export type ProtobufField = readonly [fieldNumber: number, value: ProtobufValue]
type ProtobufValue = number | boolean | string | Uint8Array | readonly ProtobufField[]

export function encodeProtobuf(fields: readonly ProtobufField[]): Uint8Array {
  return Buffer.concat(fields.map(encodeField))
}

function encodeField([number, value]: ProtobufField): Uint8Array {
  if (typeof value === 'number' || typeof value === 'boolean')
    return Buffer.concat([encodeVarint(number * 8 + VARINT), encodeVarint(Number(value))])
  const bytes = toBytes(value)
  return Buffer.concat([encodeVarint(number * 8 + DELIMITED), encodeVarint(bytes.length), bytes])
}

function toBytes(value: string | Uint8Array | readonly ProtobufField[]): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value)
  return value instanceof Uint8Array ? value : encodeProtobuf(value)
}

/** Divides instead of shifting, because numbers here have more than 32 bits. */
function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Uint8Array.from([...bytes, rest])
}
