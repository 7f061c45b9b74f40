import { join } from 'node:path'
import { ALL_HOSTS } from '../../stage/server/hosts.ts'
import type { Stage } from '../../stage/stage.ts'
import { openBrowserPool, type PoolOptions } from '../../src/browser/pool.ts'
import type { BrowserPool, SeatWishes } from '../../src/browser/seat.ts'
import { MACHINE, ROOT } from '../../src/load-config.ts'
import { createLog } from '../../src/log.ts'

export const WISHES: SeatWishes = { locale: 'en-US', origins: ['https://meet.google.com'] }
export const NEVER = new AbortController().signal

/** The headless shell of the packages, so that every machine tests with the same. */
const SETTINGS = {
  browserPath: undefined,
  browserCdp: undefined,
  browserMode: 'shell',
  browserArgs: [],
  botsPerBrowser: 2,
} as const

type Given = Omit<Partial<PoolOptions>, 'settings'> & {
  settings?: Partial<PoolOptions['settings']>
}

export function openPool({ settings, ...given }: Given = {}): Promise<BrowserPool> {
  return openBrowserPool({
    machine: MACHINE,
    cache: join(ROOT, 'node_modules/.cache'),
    log: createLog('silent'),
    ...given,
    settings: { ...SETTINGS, ...settings },
  })
}

/** For a pool whose pages see the stage and nothing else. */
export function onStage(stage: Stage) {
  return {
    opening: { names: ALL_HOSTS, address: '127.0.0.1', port: stage.port },
    stageArguments: stage.browserArguments,
  }
}
