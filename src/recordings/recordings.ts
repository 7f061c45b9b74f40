import type { ProjectAccessStore } from '../access/project-access.ts'
import type { Viewer } from '../access/viewer.ts'
import type { AreaContext } from '../db/context.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { invalidField, ServiceError } from '../errors.ts'
import { newOrderedId, type SecretBox } from '../lib/crypto.ts'
import { findStartProblem } from '../meetings/importing/imported-meeting.ts'
import { findStartInFileName } from '../meetings/importing/read-transcript-file.ts'
import type { DecoderLimits } from './decoding/decoder.ts'
import { startsLikeRecording } from './file-signatures.ts'
import { createUploadCheck } from './upload-check.ts'
import { countParts, PART_BYTES, type Recording } from './recording.ts'
import { createSealedKey, sealPart } from './recording-sound.ts'
import { listRecordings, OPEN_STATES, selectRecordings, toRecording } from './recording-store.ts'

export type NewRecording = {
  fileName: string
  byteCount: number
  title: string | null
  project: string
  /** Null to use the start in the file name. Without one, the meeting ends at the time of the upload. */
  startedAt: Date | null
  timeZone: string | null
  /** Language of the speech; null for English, or for what the endpoint detects. */
  language: string | null
  recapLanguage: string | null
}

/** Recordings that people send to be recognized and stored as meetings. */
export type Recordings = ReturnType<typeof createRecordings>

type Parts = AreaContext & {
  secretBox: SecretBox
  membership: Pick<NodeMembership, 'requireFreshHeartbeat'>
  registerProject: ProjectAccessStore['registerProject']
  hasDiskSpace(): boolean
  timeZone: string
  limits: { maxBytes: number; maxMs: number }
  /** Why speech cannot be recognized here, or null. */
  findSpeechProblem(language: string | null): Promise<string | null>
  onChanged(): void
  decoderLimits?: DecoderLimits
}

/** Recordings of the instance that are not over. Each may have as many bytes as the setting allows. */
const MAX_OPEN_RECORDINGS = 50
const MAX_LISTED = 100
export function createRecordings(parts: Parts) {
  const { db, clock, secretBox, limits } = parts

  const get = async (id: string): Promise<Recording> => {
    const row = await selectRecordings(db).where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new ServiceError('recording_not_found')
    return toRecording(row)
  }
  const requireRoom = async () => {
    if (!parts.hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
    const { count } = await db
      .selectFrom('recording')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('state', 'in', OPEN_STATES)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_OPEN_RECORDINGS) throw new ServiceError('too_many_recordings')
  }
  const checkUpload = createUploadCheck(parts)

  return {
    get,
    list: (viewer: Viewer) => listRecordings(db, viewer, MAX_LISTED),

    /** Creates a recording whose parts follow. Refuses everything that is known before the first byte. */
    async create(
      viewer: Viewer,
      recording: NewRecording,
      tokenId: string | null,
    ): Promise<Recording> {
      const { language, project } = recording
      const obstacle = await parts.findSpeechProblem(language)
      if (obstacle !== null) throw new ServiceError('speech_unavailable', { hint: obstacle })
      if (recording.byteCount > limits.maxBytes)
        throw new ServiceError('body_too_large', {
          text: `The recording is larger than ${Math.floor(limits.maxBytes / 1024 ** 2)} MiB`,
        })
      const now = clock.now()
      const problem = recording.startedAt && findStartProblem(recording.startedAt, now)
      if (problem !== null) throw invalidField('startedAt', problem)
      await requireRoom()
      await parts.membership.requireFreshHeartbeat()
      await parts.registerProject(db, viewer, project)
      const id = newOrderedId('recording', now)
      await db
        .insertInto('recording')
        .values({
          id,
          project,
          viewer: JSON.stringify(viewer),
          token_id: tokenId,
          file_name: recording.fileName,
          title: recording.title,
          started_at: recording.startedAt ?? findStart(recording, parts.timeZone, now),
          language,
          recap_language: recording.recapLanguage,
          byte_count: recording.byteCount,
          key_sealed: createSealedKey(secretBox, id),
          state: 'uploading',
          created_at: now,
          changed_at: now,
          due_at: now,
        })
        .execute()
      parts.onChanged()
      return get(id)
    },

    /**
     * Stores one part of the file, encrypted. A part may be sent again, in any order. After the last missing one the
     * recording is checked and waits to be recognized.
     */
    async addPart(id: string, number: number, bytes: Uint8Array): Promise<Recording> {
      const stored = await storePart(parts, id, number, bytes)
      const recording = await get(id)
      if (stored === null || recording.partCount < countParts(stored.byteCount)) return recording
      await checkUpload({ id, ...stored })
      return get(id)
    },

    /** Stops the recognition, and deletes the recording with its sound. A meeting that it became stays. */
    async remove(id: string): Promise<void> {
      const { numDeletedRows } = await db
        .deleteFrom('recording')
        .where('id', '=', id)
        .executeTakeFirst()
      if (numDeletedRows === 0n) throw new ServiceError('recording_not_found')
      parts.onChanged()
    },
  }
}

function findStart({ fileName, timeZone }: NewRecording, zone: string, now: Date): Date | null {
  const at = findStartInFileName(fileName, timeZone ?? zone)
  return at !== null && findStartProblem(at, now) === null ? at : null
}

/** Encrypts and stores a part. Null if the recording is complete or over already. */
function storePart(
  { db, clock, secretBox }: Parts,
  id: string,
  number: number,
  bytes: Uint8Array,
): Promise<{ byteCount: number; sealedKey: Buffer } | null> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('recording')
      .select(['state', 'byte_count', 'key_sealed'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) throw new ServiceError('recording_not_found')
    // Sent again after its answer was lost.
    if (row.state !== 'uploading' || row.key_sealed === null) return null
    const byteCount = Number(row.byte_count)
    requirePart(byteCount, number, bytes)
    const sealed = sealPart(secretBox, { id, sealedKey: row.key_sealed }, number, bytes)
    await tx
      .insertInto('recording_chunk')
      .values({ recording_id: id, number, bytes: sealed })
      .onConflict((conflict) =>
        conflict.columns(['recording_id', 'number']).doUpdateSet({ bytes: sealed }),
      )
      .execute()
    await tx
      .updateTable('recording')
      .set({ changed_at: clock.now() })
      .where('id', '=', id)
      .execute()
    return { byteCount, sealedKey: row.key_sealed }
  })
}

function requirePart(byteCount: number, number: number, bytes: Uint8Array): void {
  const count = countParts(byteCount)
  if (number > count) throw invalidField('part', `The recording has only ${count} parts`)
  const expected = number < count ? PART_BYTES : byteCount - (count - 1) * PART_BYTES
  if (bytes.length !== expected)
    throw invalidField(
      'part',
      `Part ${number} must have ${expected} bytes, and has ${bytes.length}`,
    )
  if (number === 1 && !startsLikeRecording(bytes))
    throw new ServiceError('unsupported_media_type', {
      text: 'This is not a WAV, MP3, Ogg, WebM, MP4 or M4A file',
      hint: 'Convert the recording to one of these formats',
    })
}
