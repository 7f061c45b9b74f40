import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { OperatorError } from '../../errors.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { createOwnedFoldersSync } from '../../lib/files/create-folders.ts'

/** npm puts the files of a package into this folder of the archive. */
const PACKAGE_FOLDER = 'package/'
/** The largest file that is needed has 43 MB. */
const LARGEST_FILE_BYTES = 128 * 1024 * 1024

/**
 * Writes the named files of an archive into a folder. Paths come only from `files`, never from the archive, so nothing
 * is written elsewhere. Links and other entries are ignored.
 */
export async function extractFiles(
  archive: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const missing = new Set(Object.keys(files))
  const extract = tar.extract()
  const reading = preventUnhandledRejection(
    pipeline(createReadStream(archive), createGunzip(), extract),
  )
  for await (const entry of extract) {
    const { name, type, size } = entry.header
    const path = name.startsWith(PACKAGE_FOLDER) ? name.slice(PACKAGE_FOLDER.length) : ''
    if (type !== 'file' || !missing.delete(path)) {
      entry.resume()
      continue
    }
    if (size > LARGEST_FILE_BYTES)
      throw new OperatorError(`${path} in ${archive} is too large: ${size} bytes`)
    await writeNewFile(join(folder, files[path]!), entry as AsyncIterable<Buffer>)
  }
  await reading
  if (missing.size > 0)
    throw new OperatorError(`${archive} does not contain ${[...missing].join(', ')}`)
}

async function writeNewFile(path: string, body: AsyncIterable<Buffer>): Promise<void> {
  createOwnedFoldersSync(dirname(path), 0o700)
  await using file = await open(path, 'wx', 0o600)
  for await (const chunk of body) await file.writeFile(chunk)
  await file.sync()
}
