export const MAX_CHUNK_BYTES = 256 * 1024

/** Text is collected before it is encoded, because many pieces have only a few characters. */
const BATCH_CHARS = 64 * 1024

/** Regroups texts and bytes into chunks of `MAX_CHUNK_BYTES`. Only the last chunk may be shorter. */
export async function* splitIntoChunks(
  contents: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const bytes of encodeInBatches(contents)) {
    waiting.push(bytes)
    length += bytes.length
    if (length < MAX_CHUNK_BYTES) continue
    const all = Buffer.concat(waiting)
    let start = 0
    for (; all.length - start >= MAX_CHUNK_BYTES; start += MAX_CHUNK_BYTES)
      yield all.subarray(start, start + MAX_CHUNK_BYTES)
    waiting = start < all.length ? [all.subarray(start)] : []
    length = all.length - start
  }
  if (length > 0) yield Buffer.concat(waiting)
}

async function* encodeInBatches(
  contents: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let batch = ''
  for await (const piece of contents) {
    if (typeof piece === 'string') batch += piece
    if (batch !== '' && (typeof piece !== 'string' || batch.length >= BATCH_CHARS)) {
      yield Buffer.from(batch)
      batch = ''
    }
    if (typeof piece !== 'string') yield Buffer.from(piece)
  }
  if (batch !== '') yield Buffer.from(batch)
}
