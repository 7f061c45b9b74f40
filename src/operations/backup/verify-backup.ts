import { chooseMaxExpandedBytes, readRegularFileSize, type ArchiveEntry } from './read-archive.ts'
import { readBackup } from './read-backup.ts'
import type { BackupManifest } from './manifest.ts'

/** A backup file that was read completely and can be restored. */
export type VerifiedBackup = {
  file: string
  /** The limit of the next pass over the file, which may have been replaced meanwhile. */
  maxExpandedBytes: number
  manifest: BackupManifest
  /** The size of all its documents and prompts. */
  fileBytes: number
}

/** Reads a whole backup file; throws when it is damaged, not supported, or expands to more than `maxExpandedBytes`. */
export async function verifyBackup(
  file: string,
  maxExpandedBytes?: number,
): Promise<VerifiedBackup> {
  const size = await readRegularFileSize(file)
  const max = maxExpandedBytes ?? chooseMaxExpandedBytes(size)
  const { manifest, fileBytes } = await readBackup(file, max, {
    onRows: (_table, { body }) => countLines(body),
    onFile: (_path, { body }) => readToEnd(body),
  })
  return { file, maxExpandedBytes: max, manifest, fileBytes }
}

/** The checksum of the archive needs every chunk to be read. */
async function readToEnd(body: ArchiveEntry['body']): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  while (!(await chunks.next()).done);
}

const LINE_END = 0x0a

/** Each row in the COPY format is one line. */
async function countLines(body: ArchiveEntry['body']): Promise<number> {
  let count = 0
  for await (const chunk of body) {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) {
      count += 1
    }
  }
  return count
}
