import { randomBytes } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { openBytes, sealBytes, type SecretBox } from '../lib/crypto.ts'
import { PART_BYTES } from './recording.ts'

/** How many decrypted parts are kept in memory, because decoders read small ranges. */
const MAX_CACHED_PARTS = 4
const KEY_BYTES = 32

/** A new key for the sound of one recording, encrypted with the master key. It is stored only in the recording's row. */
export function createSealedKey(secretBox: SecretBox, id: string): Buffer {
  return secretBox.seal(randomBytes(KEY_BYTES).toString('base64'), keyLabel(id))
}

function openKey(secretBox: SecretBox, id: string, sealed: Buffer): Buffer {
  return Buffer.from(secretBox.open(sealed, keyLabel(id)), 'base64')
}

const keyLabel = (id: string) => `recording:${id}`
const partLabel = (id: string, number: number) => `recording:${id}:${number}`

type SealedRecording = { id: string; sealedKey: Buffer }

/** Encrypts a part of a recording. */
export function sealPart(
  secretBox: SecretBox,
  { id, sealedKey }: SealedRecording,
  number: number,
  bytes: Uint8Array,
): Buffer {
  return sealBytes(openKey(secretBox, id, sealedKey), bytes, partLabel(id, number))
}

/** The sound of a recording was deleted while it was read, because the recording is over. */
export class SoundDeleted extends Error {}

/** Reads ranges of a recording from the database. */
export function createSoundReader(
  db: Db,
  secretBox: SecretBox,
  { id, sealedKey }: SealedRecording,
): (start: number, end: number) => Promise<Uint8Array> {
  const key = openKey(secretBox, id, sealedKey)
  const cached = new Map<number, Promise<Buffer>>()

  const readPart = async (number: number): Promise<Buffer> => {
    const row = await db
      .selectFrom('recording_chunk')
      .select('bytes')
      .where('recording_id', '=', id)
      .where('number', '=', number)
      .executeTakeFirst()
    if (row === undefined) throw new SoundDeleted(`recording ${id} has no part ${number}`)
    return openBytes(key, row.bytes, partLabel(id, number))
  }
  const findPart = (number: number): Promise<Buffer> => {
    const part = cached.get(number) ?? readPart(number)
    // The part that was used last is the last one that is dropped.
    cached.delete(number)
    cached.set(number, part)
    if (cached.size > MAX_CACHED_PARTS) cached.delete(cached.keys().next().value!)
    return part
  }

  return async (start, end) => {
    const first = Math.floor(start / PART_BYTES)
    const last = Math.floor((end - 1) / PART_BYTES)
    const range = new Uint8Array(end - start)
    for (let index = first; index <= last; index += 1) {
      const part = await findPart(index + 1)
      const offset = index * PART_BYTES
      const piece = part.subarray(Math.max(0, start - offset), Math.max(0, end - offset))
      range.set(piece, Math.max(0, offset - start))
    }
    return range
  }
}
