import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { OperatorError } from '../../../lib/operator-error.ts'
import { isDoneWithin } from '../../../lib/async/abort.ts'
import { errorCode } from '../../../lib/error-code.ts'
import { WINDOW_SIZE } from './chromium-arguments.ts'
import type { HostEnvironment } from './find-browser.ts'
import type { BrowserAccount } from './isolation.ts'

export interface Display extends AsyncDisposable {
  /** Environment variables that a browser needs to use this display. */
  readonly env: Record<string, string>
}

/** Where X servers create their sockets. */
const SOCKET_FOLDER = '/tmp/.X11-unix'
const START_MS = 15_000
/** How long Xvfb may take to remove its socket and its lock before it is killed. */
const END_MS = 5_000
const NO_DISPLAY = 'a browser with a window needs a display, but DISPLAY is not set'
const FIX = 'Install Xvfb (Debian: apt-get install xvfb), or set HANSARD_BROWSER_MODE=headless'

/** A browser that runs under another account than the service. */
export type DisplayUser = {
  account: BrowserAccount
  /** The account gets a copy of the display's key in this folder. It must not be able to write there. */
  keyFolder: string
}

/** On Linux, an environment variable names the display. Other systems always have one. */
export function hasDisplay({ env }: HostEnvironment): boolean {
  if (process.platform !== 'linux') return true
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY'])
}

/** Uses the machine's display, or starts Xvfb, which ends when the last window closes. */
export async function openDisplay(
  host: HostEnvironment,
  user?: DisplayUser,
  endMs = END_MS,
): Promise<Display> {
  const { env, home } = host
  if (hasDisplay(host)) {
    const key = env['XAUTHORITY'] ?? join(home, '.Xauthority')
    const needsKey = user !== undefined && existsSync(key)
    return {
      env: needsKey ? { XAUTHORITY: await copyKey(key, user) } : {},
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const size = `${WINDOW_SIZE.width}x${WINDOW_SIZE.height}x24`
  // Only root can create the folder of the display sockets.
  if (user !== undefined) await createSocketFolder()
  // Xvfb chooses a free display number and writes it to file descriptor 3. `-terminate` ends Xvfb with the browser.
  const args = ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-terminate']
  const child = spawn('Xvfb', args, {
    env: { PATH: env['PATH'] },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    ...(user !== undefined && { uid: user.account.uid, gid: user.account.gid }),
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const end = () => endProgram(child, exited, endMs)
  try {
    await once(child, 'spawn')
    const number = await readNumber(child.stdio[3] as Readable)
    return { env: { DISPLAY: `:${number}` }, [Symbol.asyncDispose]: end }
  } catch (error) {
    if (child.pid !== undefined) await end()
    if (errorCode(error) === 'ENOENT') throw new OperatorError(NO_DISPLAY, FIX, error)
    throw new OperatorError(`Xvfb does not start: ${String(error)}`, FIX, error)
  }
}

async function endProgram(
  child: ChildProcess,
  exited: Promise<unknown>,
  endMs: number,
): Promise<void> {
  child.kill()
  if (await isDoneWithin(exited, endMs)) return
  child.kill('SIGKILL')
  await exited
}

async function copyKey(
  key: string,
  { account: { uid, gid }, keyFolder }: DisplayUser,
): Promise<string> {
  const copy = join(keyFolder, 'display-key')
  // Refuses an existing file, which could be a link to a file that the account must not own.
  await copyFile(key, copy, constants.COPYFILE_EXCL)
  await chmod(copy, 0o600)
  await chown(copy, uid, gid)
  return copy
}

async function createSocketFolder(): Promise<void> {
  try {
    await mkdir(SOCKET_FOLDER)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    throw error
  }
  await chmod(SOCKET_FOLDER, 0o1777)
}

async function readNumber(channel: Readable): Promise<number> {
  addAbortSignal(AbortSignal.timeout(START_MS), channel)
  let text = ''
  for await (const chunk of channel) {
    text += String(chunk)
    if (text.includes('\n')) return Number.parseInt(text, 10)
  }
  throw new Error('Xvfb ended without a display')
}
