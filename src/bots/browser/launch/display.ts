import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { OperatorError } from '../../../errors.ts'
import { errorCode } from '../../../lib/error-code.ts'
import type { BrowserAccount } from './browser-account.ts'
import type { HostEnvironment } from './find-browser.ts'
import { WINDOW_SIZE } from './chromium-arguments.ts'

export interface Display extends AsyncDisposable {
  /** Environment variables that the browser must get to use this display. */
  readonly env: Record<string, string>
}

/** Where X servers create their sockets. */
const SOCKET_FOLDER = '/tmp/.X11-unix'
const START_MS = 15_000
const NO_DISPLAY = 'a browser with a window needs a display, but DISPLAY is not set'
const FIX = 'Install Xvfb (Debian: apt-get install xvfb), or set HANSARD_BROWSER_MODE=headless'

/**
 * Uses the display of the machine, or starts Xvfb, which ends when the last window closes. A browser that runs as
 * another account gets a copy of the display's key in `folder`.
 */
export async function openDisplay(
  { env, home }: HostEnvironment,
  account: BrowserAccount | null = null,
  folder = '',
): Promise<Display> {
  if (env['DISPLAY'] || env['WAYLAND_DISPLAY']) {
    const key = env['XAUTHORITY'] ?? join(home, '.Xauthority')
    const needsKey = account !== null && existsSync(key)
    return {
      env: needsKey ? { XAUTHORITY: await copyKey(key, account, folder) } : {},
      [Symbol.asyncDispose]: async () => {},
    }
  }
  const size = `${WINDOW_SIZE.width}x${WINDOW_SIZE.height}x24`
  // Only root can create the folder of the display sockets.
  if (account !== null) await createSocketFolder()
  // Xvfb chooses a free display number and writes it to file descriptor 3; -terminate ends Xvfb with the browser.
  const args = ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-terminate']
  const child = spawn('Xvfb', args, {
    env: { PATH: env['PATH'] },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    ...(account !== null && { uid: account.uid, gid: account.gid }),
  })
  const exited = new Promise((resolve) => child.once('close', resolve))
  try {
    await once(child, 'spawn')
    const number = await readNumber(child.stdio[3] as Readable)
    return {
      env: { DISPLAY: `:${number}` },
      async [Symbol.asyncDispose]() {
        child.kill()
        await exited
      },
    }
  } catch (error) {
    child.kill()
    if (errorCode(error) === 'ENOENT') throw new OperatorError(NO_DISPLAY, FIX, error)
    throw new OperatorError(`Xvfb does not start: ${String(error)}`, FIX, error)
  }
}

async function copyKey(key: string, { uid, gid }: BrowserAccount, folder: string): Promise<string> {
  const copy = join(folder, 'display-key')
  await copyFile(key, copy)
  await chmod(copy, 0o600)
  await chown(copy, uid, gid)
  return copy
}

async function createSocketFolder(): Promise<void> {
  if (existsSync(SOCKET_FOLDER)) return
  await mkdir(SOCKET_FOLDER, { recursive: true })
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
