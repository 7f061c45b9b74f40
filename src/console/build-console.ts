import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants as zlibConstants, gzip } from 'node:zlib'
import { OperatorError } from '../lib/operator-error.ts'
import { onAbort } from '../lib/async/abort.ts'
import { errorCode } from '../lib/error-code.ts'
import { explainIfInstallationNotWritable } from '../lib/files/installed-files.ts'

const SOURCE_HASH_FILE = '.sources'
/** The console's sources, and the modules of the client and the service that its bundle contains. */
const SOURCE_FOLDERS = ['web', 'client', 'src/tasks/cron']
const SOURCE_FILES = [
  'src/access/rules.ts',
  'src/access/sharing/share-states.ts',
  'src/access/viewer.ts',
  'src/accounts/audit-actions.ts',
  'src/accounts/roles.ts',
  'src/accounts/sign-in/password-length.ts',
  'src/accounts/sign-in/provider/sign-in-problems.ts',
  'src/accounts/users/mark-keys.ts',
  'src/accounts/users/notices.ts',
  'src/ai/truncation.ts',
  'src/ask/answer.ts',
  'src/bots/accounts/sites.ts',
  'src/bots/platforms/platform.ts',
  'src/bots/platforms/platform-info.ts',
  'src/calendars/planning/reasons.ts',
  'src/calendars/calendar.ts',
  'src/calendars/providers/account.ts',
  'src/connections/connection.ts',
  'src/network/microsoft-hosts.ts',
  'src/deliveries/lane/retry-policy.ts',
  'src/http/shapes/values.ts',
  'src/lib/net/same-origin-path.ts',
  'src/lib/net/server-sent-events.ts',
  'src/lib/text/decode-text-file.ts',
  'src/lib/text/edit-distance.ts',
  'src/lib/text/nearest-name.ts',
  'src/lib/text/shorten-name.ts',
  'src/lib/text/bad-names.ts',
  'src/lib/time/duration-text.ts',
  'src/lib/time/durations.ts',
  'src/lib/time/time-zone-name.ts',
  'src/lib/time/zone-data.ts',
  'src/lib/time/zone-offsets.ts',
  'src/mail/mail.ts',
  'src/mail/digest/choice-names.ts',
  'src/brief/brief-values.ts',
  'src/mail/recap-mail/choice-names.ts',
  'src/meetings/importing/format-names.ts',
  'src/bots/platforms/speech/speech-mode.ts',
  'src/meetings/captions/segment-sources.ts',
  'src/meetings/meeting-platforms.ts',
  'src/language/person-names.ts',
  'src/meetings/transcript/markdown-text.ts',
  'src/language/clean-text.ts',
  'src/meetings/status.ts',
  'src/meetings/official/capture.ts',
  'src/meetings/official/choose-lines.ts',
  'src/meetings/transcript/gap-causes.ts',
  'src/projects/vocabulary-limits.ts',
  'src/projects/front-matter.ts',
  'src/projects/search/search-types.ts',
  'src/recordings/recording.ts',
  'src/recap/recap.ts',
  'src/deliveries/notifications/notification.ts',
  'src/recap/template.ts',
  'src/recap/store/action-item.ts',
  'src/recap/store/recap-item.ts',
  'src/recap/store/recap-row.ts',
  'src/tasks/prompts/prompt-name.ts',
  'src/tasks/task.ts',
]
const BROTLI = { params: { [zlibConstants.BROTLI_PARAM_QUALITY]: 9 } }

/** Builds the console if its sources or packages have changed since the last build. */
export async function buildConsoleIfStale(
  root: string,
  /** `signal` ends a running build. */
  { signal, onBuild }: { signal?: AbortSignal; onBuild?(): void } = {},
): Promise<{ folder: string; wasStale: boolean }> {
  const folder = join(root, 'dist/console')
  // The npm package contains the built console instead of its sources.
  if (!existsSync(join(root, 'web'))) return { folder, wasStale: false }
  const sourceHash = hashSources(root)
  if ((await readBuiltHash(folder)) === sourceHash) return { folder, wasStale: false }

  await requireWritableInstallation(root)
  onBuild?.()
  // Built in a temporary folder and then renamed, so that a crash or a second process never leaves an incomplete build.
  const fresh = `${folder}.${process.pid}`
  try {
    await runVite(root, fresh, signal)
    await compressFiles(fresh)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
  await writeFile(join(fresh, SOURCE_HASH_FILE), sourceHash)
  await replaceBuild(folder, fresh, sourceHash)
  return { folder, wasStale: true }
}

/** Puts the new build in place. Another process's build of the same sources stays, because that process uses it. */
export async function replaceBuild(
  folder: string,
  fresh: string,
  sourceHash: string,
): Promise<void> {
  const old = `${fresh}.old`
  try {
    if ((await readBuiltHash(folder)) === sourceHash) return
    if (existsSync(folder)) await rename(folder, old)
    await rename(fresh, folder)
  } catch (error) {
    // Another process has just put its build of the same sources in place.
    if ((await readBuiltHash(folder)) !== sourceHash) throw error
  } finally {
    for (const rest of [fresh, old]) await rm(rest, { recursive: true, force: true })
  }
}

/** The build writes to `dist` and, for its configuration, to `node_modules`. */
async function requireWritableInstallation(root: string): Promise<void> {
  try {
    await mkdir(join(root, 'dist'), { recursive: true })
    for (const name of ['dist', 'node_modules']) await access(join(root, name), constants.W_OK)
  } catch (error) {
    throw explainIfInstallationNotWritable(error, {
      missing: 'The console is not built',
      command: 'hansard prepare',
    })
  }
}

function hashSources(root: string): string {
  const hash = createHash('sha256')
  for (const name of [...listSources(root), 'package-lock.json']) {
    hash.update(`${name}\n`).update(readFileSync(join(root, name)))
  }
  return hash.digest('hex')
}

/** Lists the console's source files. Uses no glob library, which would load slowly at every start. */
function listSources(root: string): string[] {
  const found = SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
  return [...found, ...SOURCE_FILES].filter((name) => !name.includes('.test.')).toSorted()
}

async function readBuiltHash(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, SOURCE_HASH_FILE), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function runVite(root: string, outDir: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', 'web', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  const unsubscribe = signal && onAbort(signal, () => child.kill())
  const [code] = (await once(child, 'close')) as [number | null]
  unsubscribe?.()
  if (code === 0) return
  signal?.throwIfAborted()
  throw new OperatorError(
    `The console could not be built: ${output.trim().slice(0, 2_000)}`,
    'Run: hansard prepare',
  )
}

async function compressFiles(folder: string): Promise<void> {
  for (const name of globSync('assets/*.{js,css,svg}', { cwd: folder })) {
    const path = join(folder, name)
    const content = await readFile(path)
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, BROTLI))
    await writeFile(`${path}.gz`, await promisify(gzip)(content))
  }
}
