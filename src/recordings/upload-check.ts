import type { AreaContext } from '../db/context.ts'
import { ServiceError } from '../errors.ts'
import { createConcurrencyLimit } from '../lib/async/queues.ts'
import type { SecretBox } from '../lib/crypto.ts'
import { openDecoder, type DecoderLimits } from './decoding/decoder.ts'
import type { RecordingInfo } from './decoding/decoder-messages.ts'
import { UnreadableRecording } from './decoding/unreadable-recording.ts'
import { createSoundReader, SoundDeleted } from './recording-sound.ts'
import { deleteSound } from './recording-store.ts'

type Parts = AreaContext & {
  secretBox: SecretBox
  limits: { maxMs: number }
  decoderLimits?: DecoderLimits
  onChanged(): void
}

type Upload = { id: string; byteCount: number; sealedKey: Buffer }

/** Each decoder is a process. */
const MAX_CONCURRENT_CHECKS = 2

/**
 * Reads the headers of complete uploads, so that a file that cannot be read is refused before it waits. Throws
 * `recording_unreadable` with the reason.
 */
export function createUploadCheck(parts: Parts): (upload: Upload) => Promise<void> {
  const limit = createConcurrencyLimit(MAX_CONCURRENT_CHECKS)
  return async (upload) => {
    try {
      await finishUpload(parts, upload, await limit(() => readInfo(parts, upload)))
    } catch (error) {
      // It was removed meanwhile.
      if (error instanceof SoundDeleted) throw new ServiceError('recording_not_found')
      if (!(error instanceof UnreadableRecording)) throw error
      await failUpload(parts, upload.id, `${error.message}.`)
      throw new ServiceError('recording_unreadable', { text: error.message, cause: error })
    }
    parts.onChanged()
  }
}

async function readInfo(
  { db, secretBox, limits, decoderLimits }: Parts,
  { id, byteCount, sealedKey }: Upload,
): Promise<RecordingInfo> {
  using decoder = await openDecoder({
    size: byteCount,
    read: createSoundReader(db, secretBox, { id, sealedKey }),
    maxMs: limits.maxMs,
    ...(decoderLimits !== undefined && { limits: decoderLimits }),
  })
  return decoder.info
}

async function finishUpload(
  { db, clock }: Parts,
  { id }: Upload,
  info: RecordingInfo,
): Promise<void> {
  const now = clock.now()
  await db
    .updateTable('recording')
    .set({ state: 'waiting', info: JSON.stringify(info), changed_at: now, due_at: now })
    .where('id', '=', id)
    .where('state', '=', 'uploading')
    .execute()
}

async function failUpload({ db, clock }: Parts, id: string, detail: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('recording')
      .set({ state: 'failed', detail, key_sealed: null, changed_at: clock.now() })
      .where('id', '=', id)
      .where('state', '=', 'uploading')
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await deleteSound(tx, id)
  })
}
