import { join } from 'node:path'
import { ALL_HOSTS } from '../../stage/server/hosts.ts'
import type { Stage } from '../../stage/stage.ts'
import {
  openBrowserPool,
  type BrowserPoolOptions,
} from '../../src/bots/browser/pool/browser-pool.ts'
import type { BrowserPool, BrowserSlotOptions } from '../../src/bots/browser/pool/browser-slot.ts'
import { PROCESS_ENV_AND_HOME, INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { createLog } from '../../src/log.ts'

export const POOL_REQUEST: BrowserSlotOptions = {
  locale: 'en-US',
  mediaOrigins: ['https://meet.google.com'],
}
export const NEVER_ABORTED = new AbortController().signal

/** The packaged headless shell, so that every machine tests with the same browser. */
const SETTINGS = {
  browserPath: undefined,
  browserCdp: undefined,
  browserMode: 'shell',
  browserArgs: [],
  botsPerBrowser: 2,
} as const

type Given = Omit<Partial<BrowserPoolOptions>, 'settings'> & {
  settings?: Partial<BrowserPoolOptions['settings']>
}

export function openTestPool({ settings, ...given }: Given = {}): Promise<BrowserPool> {
  return openBrowserPool({
    host: PROCESS_ENV_AND_HOME,
    cache: join(INSTALLATION_FOLDER, 'node_modules/.cache'),
    log: createLog('silent'),
    ...given,
    settings: { ...SETTINGS, ...settings },
  })
}

/** Options of a pool whose pages reach only the stage. */
export function stageNetworkOptions(stage: Stage) {
  return {
    stageRoute: { hostnames: ALL_HOSTS, address: '127.0.0.1', port: stage.port },
    stageArguments: stage.browserArguments,
  }
}
