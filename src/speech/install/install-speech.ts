import { randomUUID } from 'node:crypto'
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  createReadStream,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { OperatorError } from '../../lib/operator-error.ts'
import { preventUnhandledRejection } from '../../lib/async/await-later.ts'
import { errorCode } from '../../lib/error-code.ts'
import { findNonRootOwner, giveTreeToOwner } from '../../lib/files/file-owner.ts'
import { createOwnedFoldersSync, readFreeDiskMb } from '../../lib/files/folders.ts'
import type { Log } from '../../log.ts'
import { versionOf, type RuntimeParts, type SpeechPackage } from '../packages.ts'
import type { EngineFiles } from '../workers/process/sherpa-engine.ts'
import { findEngineProblem } from './engine-test.ts'
import { lockInstallation } from './install-lock.ts'
import {
  findInstallation,
  isVersionFolder,
  OWN_RUNTIMES,
  speechFolderOf,
  findChangedFile,
  hashFile,
  writeManifest,
} from './installation.ts'
import { fullDiskError, type FetchPackage } from './npm-pack.ts'

export type InstallOptions = {
  dataFolder: string
  fetchPackage: FetchPackage
  log: Log
  /** Stops the installation. The next one uses what was fetched completely. */
  signal?: AbortSignal
  /** Called with the current step, as a short sentence for people. */
  onStep?(text: string): void
  /** Lets tests install small packages. */
  runtimes?: readonly RuntimeParts[]
  findProblem?(files: EngineFiles, signal: AbortSignal): Promise<string | null>
}

/** Enough for the archives and their files, which exist at the same time. */
const NEEDED_DISK_MB = 500
/** Complete archives. After an interruption, they are not fetched again. */
const DOWNLOADS = 'downloads'
const VOCABULARY_FILE = 'vocabulary.js'
const TOKENS_FILE = 'weights/tokens.txt'

/** npm puts a package's files into this folder of the archive. */
const PACKAGE_FOLDER = 'package/'
/** The largest file that is needed has 43 MB. */
const LARGEST_FILE_BYTES = 128 * 1024 * 1024

const VOCABULARY = /llama_vocab_base64 = "([A-Za-z0-9+/=]+)"/
const BYTE_TOKEN = /^<0x([0-9A-F]{2})>$/
const TOKEN_COUNT = 32_000
/** The weights have places for more tokens, which are never used. */
const TABLE_SIZE = 32_768
/** Stands for a space in the vocabulary. */
const SPACE_MARK = '▁'

/** Installs the first runtime that works on this machine, with its weights. Does nothing if it is already installed. */
export async function installSpeech(options: InstallOptions): Promise<EngineFiles> {
  const { dataFolder, log, onStep = () => {} } = options
  const runtimes = options.runtimes ?? OWN_RUNTIMES
  const findProblem = options.findProblem ?? findEngineProblem
  const root = speechFolderOf(dataFolder)
  options.signal?.throwIfAborted()
  createOwnedFoldersSync(root, 0o700)
  using lock = lockInstallation(root, { log })
  const signal =
    options.signal === undefined ? lock.lost : AbortSignal.any([options.signal, lock.lost])
  try {
    onStep('Checking the installed files')
    const found = findInstallation(dataFolder, runtimes)
    if (found.state === 'installed') {
      const isWhole = (await findChangedFile(found.files.folder, found.manifest)) === null
      if (isWhole) return found.files
    }
    if (readFreeDiskMb(root) < NEEDED_DISK_MB) throw fullDiskError()
    removeLeftovers(root)
    const problems: string[] = []
    for (const parts of runtimes) {
      const built = await buildFolder(root, parts, { ...options, signal })
      onStep('Testing the speech model')
      const problem = await findProblem({ ...parts, folder: built }, signal)
      lock.throwIfLost()
      signal.throwIfAborted()
      if (problem === null) return await putInPlace(root, built, parts)
      log.warn({ runtime: parts.runtime, problem }, 'speech runtime does not work on this machine')
      problems.push(`${parts.runtime}: ${problem}`)
      rmSync(built, { recursive: true })
    }
    throw new OperatorError(`Speech recognition does not work here: ${problems.join('; ')}`)
  } catch (error) {
    // The process that took over the lock has removed this process's files.
    signal.throwIfAborted()
    if (['ENOSPC', 'EDQUOT'].includes(errorCode(error))) throw fullDiskError(error)
    throw error
  } finally {
    giveToOwner(dataFolder, root)
  }
}

/** Removes everything that was installed. */
export function removeSpeech(dataFolder: string, log: Log): void {
  const root = speechFolderOf(dataFolder)
  if (!existsSync(root)) return
  {
    using _ = lockInstallation(root, { log })
    for (const name of readdirSync(root))
      if (name !== 'install.lock') rmSync(join(root, name), { recursive: true, force: true })
  }
  try {
    rmdirSync(root)
  } catch (error) {
    // Another process has begun to install again.
    if (errorCode(error) !== 'ENOTEMPTY') throw error
  }
}

/** Fetches and unpacks everything that a runtime needs into a new folder, and returns the folder. */
async function buildFolder(
  root: string,
  parts: RuntimeParts,
  options: InstallOptions & { signal: AbortSignal },
): Promise<string> {
  const { signal } = options
  const staging = join(root, `staging-${randomUUID()}`)
  // Under root, the owner gets the folders at once, and can then remove what a killed process leaves.
  createOwnedFoldersSync(staging, 0o700)
  for (const [index, row] of parts.packages.entries()) {
    options.onStep?.(`Fetching ${row.name} (${index + 1} of ${parts.packages.length})`)
    signal.throwIfAborted()
    const archive = await fetchVerified(root, row, (wanted, folder) =>
      options.fetchPackage(wanted, folder, signal),
    )
    signal.throwIfAborted()
    await extractFiles(archive, staging, row.files)
  }
  const vocabulary = join(staging, VOCABULARY_FILE)
  if (existsSync(vocabulary)) {
    const table = createTokenTable(readFileSync(vocabulary, 'utf8'))
    await using file = await open(join(staging, TOKENS_FILE), 'wx', 0o600)
    await file.writeFile(table)
    await file.sync()
    rmSync(vocabulary)
  }
  await writeManifest(staging, parts)
  return staging
}

/** The archive of a package, from an earlier attempt or fetched now. Its hash is always checked. */
async function fetchVerified(
  root: string,
  { name, version, integrity }: SpeechPackage,
  fetchPackage: FetchPackage,
): Promise<string> {
  const downloads = join(root, DOWNLOADS)
  createOwnedFoldersSync(downloads, 0o700)
  const archive = join(downloads, `${name.replaceAll(/[^\w.-]/g, '_')}-${version}.tgz`)
  if (existsSync(archive) && (await hashFile(archive, 'sha512')) === integrity) return archive
  const fetched = await fetchPackage({ name, version }, downloads)
  if ((await hashFile(fetched, 'sha512')) !== integrity) {
    rmSync(fetched, { force: true })
    throw new OperatorError(
      `${name}@${version} is not the expected package: its hash is wrong`,
      'Check the registry in the npm settings. Nothing was installed',
    )
  }
  renameSync(fetched, archive)
  return archive
}

/** Moves a complete folder to its name, and then removes older folders and the archives. */
async function putInPlace(root: string, built: string, parts: RuntimeParts): Promise<EngineFiles> {
  const { runtime, main } = parts
  const folder = join(root, versionOf(parts))
  await syncFolder(built)
  if (existsSync(folder)) renameSync(folder, join(root, `removed-${randomUUID()}`))
  renameSync(built, folder)
  await syncFolder(root)
  removeLeftovers(root)
  for (const name of readdirSync(root))
    if (name === DOWNLOADS || (isVersionFolder(name) && name !== basename(folder)))
      rmSync(join(root, name), { recursive: true, force: true })
  return { runtime, main, folder }
}

/** Removes what interrupted installations left, except complete archives. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(root))
    if (/^(?:staging|removed)-/.test(name))
      rmSync(join(root, name), { recursive: true, force: true })
  const downloads = join(root, DOWNLOADS)
  for (const name of existsSync(downloads) ? readdirSync(downloads) : [])
    if (!name.endsWith('.tgz')) rmSync(join(downloads, name), { recursive: true, force: true })
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

/** Under root, everything belongs to the owner of the data folder. */
function giveToOwner(dataFolder: string, root: string): void {
  const owner = findNonRootOwner(dataFolder)
  if (owner !== null) giveTreeToOwner(root, owner, [0])
}

/**
 * Writes the named files of an archive into a folder. Paths come only from `files`, never from the archive, so nothing
 * is written outside the folder. Links and other entries are ignored.
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

/**
 * Creates the token table that the runtime reads, with the bytes of each token in base64, from the tokenizer package's
 * source text. The package's code is not run.
 */
function createTokenTable(tokenizerSource: string): string {
  const encoded = VOCABULARY.exec(tokenizerSource)?.[1] ?? ''
  const tokens = Buffer.from(encoded, 'base64').toString('utf8').split('\n')
  if (tokens.length !== TOKEN_COUNT)
    throw new OperatorError(`the vocabulary has ${tokens.length} tokens instead of ${TOKEN_COUNT}`)
  const lines = tokens.map((token, id) => `${toBytes(token).toString('base64')} ${id}`)
  for (let id = TOKEN_COUNT; id < TABLE_SIZE; id += 1)
    lines.push(`${Buffer.from(`<unused${id}>`).toString('base64')} ${id}`)
  return `${lines.join('\n')}\n`
}

function toBytes(token: string): Buffer {
  const byte = BYTE_TOKEN.exec(token)?.[1]
  return byte === undefined
    ? Buffer.from(token.replaceAll(SPACE_MARK, ' '))
    : Buffer.from([Number.parseInt(byte, 16)])
}
