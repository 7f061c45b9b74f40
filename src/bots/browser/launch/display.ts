import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { addAbortSignal, type Readable } from 'node:stream'
import { OperatorError } from '../../../errors.ts'
import { errorCode } from '../../../lib/error-code.ts'
import type { HostEnvironment } from './find-browser.ts'
import { WINDOW_SIZE } from './chromium-arguments.ts'

export interface Display extends AsyncDisposable {
  /** Environment variables that the browser must get to use this display. */
  readonly env: Record<string, string>
}

const START_MS = 15_000
const NO_DISPLAY = 'a browser with a window needs a display, but DISPLAY is not set'
const FIX = 'Install Xvfb (Debian: apt-get install xvfb), or set HANSARD_BROWSER_MODE=headless'

/** Uses the display of the machine, or starts Xvfb, which ends when the last window closes. */
export async function openDisplay({ env }: HostEnvironment): Promise<Display> {
  if (env['DISPLAY'] || env['WAYLAND_DISPLAY'])
    return { env: {}, [Symbol.asyncDispose]: async () => {} }
  const size = `${WINDOW_SIZE.width}x${WINDOW_SIZE.height}x24`
  // Xvfb chooses a free display number and writes it to file descriptor 3; -terminate ends Xvfb with the browser.
  const args = ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp', '-terminate']
  const child = spawn('Xvfb', args, {
    env: { PATH: env['PATH'] },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
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

async function readNumber(channel: Readable): Promise<number> {
  addAbortSignal(AbortSignal.timeout(START_MS), channel)
  let text = ''
  for await (const chunk of channel) {
    text += String(chunk)
    if (text.includes('\n')) return Number.parseInt(text, 10)
  }
  throw new Error('Xvfb ended without a display')
}
