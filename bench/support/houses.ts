import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findBrowser, runnable, type BrowserMode } from '../../src/browser/find.ts'
import { openBrowserPool } from '../../src/browser/pool.ts'
import { MACHINE, ROOT } from '../../src/load-config.ts'
import { createLog } from '../../src/log.ts'
import { ALL_HOSTS } from '../../stage/server/hosts.ts'
import { processOf } from '../../test/support/browser-process.ts'
import { attendRoom, joinRoom, type Heard } from './bot.ts'
import { roomAddress } from './rooms.ts'

const CACHE = join(ROOT, 'node_modules/.cache')
const WISHES = { locale: 'en-US', origins: ['https://meet.google.com'] }
const NEVER = new AbortController().signal

export type Stage = { port: number; browserArguments: string[] }
/** One way to run bots: adds the next one and answers what it hears. */
export type House = AsyncDisposable & { add(room: number): Promise<Heard> }

/** All cameras of the stage, in a browser whose processes are not counted. */
export async function openCameras(stage: Stage) {
  const pool = await openStagePool(stage, 'shell')
  const { page, context } = await pool.take(WISHES, NEVER)
  await page.goto('https://meet.google.com/stage/pages/elsewhere/cameras.html')
  const pids = [await processOf(context.browser())]
  return { pids, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() }
}

/** What others do: Chromium as it comes, one for each meeting. */
export async function rivalHouse({ browserArguments }: Stage): Promise<House> {
  const stack = new AsyncDisposableStack()
  const found = await findBrowser({ browserPath: undefined, browserCdp: undefined }, MACHINE)
  if (found === null || found.kind === 'remote') throw new Error('the bench needs Chromium')
  const { path, env } = await runnable(found, CACHE)
  return {
    async add(room) {
      const args = ['--no-sandbox', '--use-fake-device-for-media-stream', ...browserArguments]
      const browser = await chromium.launch({
        executablePath: path,
        env: { ...MACHINE.env, ...env },
        args: [...args, '--use-fake-ui-for-media-stream'],
      })
      stack.defer(() => browser.close())
      const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
      const page = await context.newPage()
      return joinRoom(page, await context.newCDPSession(page), roomAddress(room))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** What we do: the service's own bot, in browsers of the pool. */
export async function ourHouse(stage: Stage, mode: BrowserMode): Promise<House> {
  const pool = await openStagePool(stage, mode)
  const leaving = new AbortController()
  const visits: Array<Promise<void>> = []
  return {
    async add(room) {
      const { heard, isHearing, over } = attendRoom(pool, roomAddress(room), leaving.signal)
      visits.push(over)
      await Promise.race([isHearing, over])
      return heard
    },
    async [Symbol.asyncDispose]() {
      leaving.abort()
      await Promise.allSettled(visits)
      await pool[Symbol.asyncDispose]()
    },
  }
}

export function openStagePool({ port, browserArguments }: Stage, browserMode: BrowserMode) {
  return openBrowserPool({
    settings: {
      browserPath: undefined,
      browserCdp: undefined,
      browserMode,
      browserArgs: [],
      botsPerBrowser: 8,
    },
    machine: MACHINE,
    cache: CACHE,
    log: createLog('error'),
    opening: { names: ALL_HOSTS, address: '127.0.0.1', port },
    stageArguments: browserArguments,
  })
}
