import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { OperatorError } from '../../lib/operator-error.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'

/** Fetches the archive of one package into a new folder and returns its path. Rejects if the signal aborts. */
export type FetchPackage = (
  parts: { name: string; version: string },
  folder: string,
  signal?: AbortSignal,
) => Promise<string>

export type NpmSettings = {
  env: Readonly<Record<string, string | undefined>>
  /** The .npmrc of this folder applies to the service's packages. */
  installationFolder: string
}

const TIME_LIMIT_MS = 20 * 60_000
const KEPT_OUTPUT_CHARACTERS = 4_000
/** npm needs no settings of the service, so it gets no secrets. */
const WITHHELD_VARIABLES = /^HANSARD_|^DATABASE_URL$|_API_KEY$/
const FULL_DISK = /ENOSPC|EDQUOT/
const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/

/** Fetches with the npm and the npm settings that also install the service. Runs no code of a package. */
export function createNpmFetch(settings: NpmSettings): FetchPackage {
  const { installationFolder } = settings
  return async ({ name, version }, parent, signal) => {
    signal?.throwIfAborted()
    const folder = mkdtempSync(join(parent, 'npm-'))
    inheritOwnerSync(folder)
    // The package.json makes npm use this folder's .npmrc, and not one of a folder above.
    writeFileSync(join(folder, 'package.json'), '{"private":true}')
    const npmrc = join(installationFolder, '.npmrc')
    if (existsSync(npmrc)) copyFileSync(npmrc, join(folder, '.npmrc'))
    const spec = `${name}@${version}`
    const args = ['pack', spec, ...NPM_OPTIONS]
    const { code, output } = await runNpm(args, folder, settings, signal)
    // The folder contains only one archive, so its name in npm's answer is not needed.
    const archives = readdirSync(folder).filter((file) => file.endsWith('.tgz'))
    if (code === 0 && archives.length === 1) return join(folder, archives[0]!)
    rmSync(folder, { recursive: true, force: true })
    throw toFetchError(spec, output)
  }
}

const NPM_OPTIONS = ['--json', '--ignore-scripts', '--loglevel=error', '--no-update-notifier']

async function runNpm(
  args: readonly string[],
  cwd: string,
  { env, installationFolder }: NpmSettings,
  signal: AbortSignal | undefined,
): Promise<{ code: number | null; output: string }> {
  const npm = env['npm_execpath']
  const [command, prefix] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []]
  const child = spawn(command, [...prefix, ...args], {
    cwd,
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => !WITHHELD_VARIABLES.test(name))),
      ...lifelineVariables(env, installationFolder),
    },
    // Descriptor 3 is the lifeline: it closes when the service ends, even after kill -9.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
    signal,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_OUTPUT_CHARACTERS)
    })
  return await new Promise((resolve, reject) => {
    child.on('error', (error) => {
      // An abort is reported here too, before npm has ended.
      if (!signal?.aborted)
        reject(
          new OperatorError(`npm could not be started: ${error.message}`, 'Install npm', error),
        )
    })
    child.on('exit', () => {
      if (signal?.aborted) reject(signal.reason)
    })
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** Makes npm end with the service. */
function lifelineVariables(
  env: NpmSettings['env'],
  installationFolder: string,
): Record<string, string> {
  const script = pathToFileURL(join(installationFolder, 'bin/launch/lifeline.mjs')).href
  return { LIFELINE_FD: '3', NODE_OPTIONS: `${env['NODE_OPTIONS'] ?? ''} --import=${script}` }
}

function toFetchError(spec: string, output: string): OperatorError {
  if (FULL_DISK.test(output)) return fullDiskError()
  if (NO_NETWORK.test(output))
    return new OperatorError(
      `npm could not reach its registry to fetch ${spec}`,
      'Check the network and the registry in the npm settings, then run: hansard speech install',
    )
  const lines = output.trim().split('\n')
  const reason = lines.find((line) => line.includes('npm error')) ?? lines.at(-1) ?? ''
  return new OperatorError(
    `npm could not fetch ${spec}: ${reason.slice(0, 300)}`,
    'Check that the npm registry has this package, then run: hansard speech install',
  )
}

export function fullDiskError(cause?: unknown): OperatorError {
  return new OperatorError(
    'The disk of the data folder is full',
    'Free some space (500 MB are needed), then run: hansard speech install',
    cause,
  )
}
