import { join } from 'node:path'
import { chromium } from 'playwright-core'
import {
  findBrowser,
  prepareBrowserExecutable,
  type BrowserMode,
} from '../../src/bots/browser/launch/find-browser.ts'
import { openBrowserPool } from '../../src/bots/browser/pool/browser-pool.ts'
import { PROCESS_ENV_AND_HOME, INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { createLog } from '../../src/log.ts'
import { ALL_HOSTS } from '../../stage/server/hosts.ts'
import { findBrowserProcess } from '../../test/support/browser/browser-process.ts'
import { attendWithServiceBot, joinWithMinimalBot, type CaptionStats } from './bench-bots.ts'
import { roomAddress } from './room-address.ts'

const CACHE = join(INSTALLATION_FOLDER, 'node_modules/.cache')
const POOL_REQUEST = { locale: 'en-US', mediaOrigins: ['https://meet.google.com'] }
const NEVER_ABORTED = new AbortController().signal

export type StageInfo = { port: number; browserArguments: string[] }
/** A way to run bots. `add` starts the next bot and returns what it reads. */
export type BotSetup = AsyncDisposable & { add(room: number): Promise<CaptionStats> }

/** Opens the page that produces all camera videos, in a browser whose processes are not counted. */
export async function openCameras(stage: StageInfo) {
  const pool = await openStagePool(stage, 'shell')
  const { page, context } = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await page.goto('https://meet.google.com/stage/pages/other-hosts/cameras.html')
  const pids = [await findBrowserProcess(context.browser())]
  return { pids, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() }
}

/** The baseline: one default Chromium for each meeting. */
export async function openBrowserPerBotSetup({ browserArguments }: StageInfo): Promise<BotSetup> {
  const stack = new AsyncDisposableStack()
  const found = await findBrowser(
    { browserPath: undefined, browserCdp: undefined },
    PROCESS_ENV_AND_HOME,
  )
  if (found === null || found.kind === 'remote') throw new Error('the bench needs Chromium')
  const { path, env } = await prepareBrowserExecutable(found, CACHE)
  return {
    async add(room) {
      const args = ['--no-sandbox', '--use-fake-device-for-media-stream', ...browserArguments]
      const browser = await chromium.launch({
        executablePath: path,
        env: { ...PROCESS_ENV_AND_HOME.env, ...env },
        args: [...args, '--use-fake-ui-for-media-stream'],
      })
      stack.defer(() => browser.close())
      const context = await browser.newContext({ permissions: ['camera', 'microphone'] })
      const page = await context.newPage()
      return joinWithMinimalBot(page, await context.newCDPSession(page), roomAddress(room))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The service's bot, in browsers of the pool. */
export async function openSharedBrowserSetup(
  stage: StageInfo,
  mode: BrowserMode,
): Promise<BotSetup> {
  const pool = await openStagePool(stage, mode)
  const leaving = new AbortController()
  const visits: Array<Promise<void>> = []
  return {
    async add(room) {
      const { heard, isHearing, over } = attendWithServiceBot(
        pool,
        roomAddress(room),
        leaving.signal,
      )
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

export function openStagePool({ port, browserArguments }: StageInfo, browserMode: BrowserMode) {
  return openBrowserPool({
    settings: {
      browserPath: undefined,
      browserCdp: undefined,
      browserMode,
      browserArgs: [],
      botsPerBrowser: 8,
    },
    host: PROCESS_ENV_AND_HOME,
    cache: CACHE,
    log: createLog('error'),
    stageRoute: { hostnames: ALL_HOSTS, address: '127.0.0.1', port },
    stageArguments: browserArguments,
  })
}
