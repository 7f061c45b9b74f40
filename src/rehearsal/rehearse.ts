import { ALL_HOSTS } from '../../stage/server/hosts.ts'
import { openStage, type Stage } from '../../stage/stage.ts'
import { findBrowser, INSTALL_HINT, probeBrowser } from '../browser/find.ts'
import { openBrowserPool, type PoolOptions } from '../browser/pool.ts'
import type { BrowserPool } from '../browser/seat.ts'
import { OperatorError } from '../errors.ts'
import { messageOf } from '../lib/error-code.ts'
import { createGoogleMeet } from '../platforms/google-meet/index.ts'
import { createMicrosoftTeams } from '../platforms/microsoft-teams/index.ts'
import { openPageTables } from '../platforms/page-tables.ts'
import type { Platform } from '../platforms/platform.ts'
import { judge, type Step } from './judge.ts'
import { observe } from './observe.ts'
import { programmeOf, type Play } from './programme.ts'
import type { Rehearsed } from './rehearsed.ts'

export type RehearsalOptions = Pick<PoolOptions, 'settings' | 'machine' | 'cache' | 'log'> & {
  which: readonly Rehearsed[]
  /** One of stage/scripts/; not given: a short meeting. */
  script: string | undefined
  selectorsFile: string | undefined
}

/** A step of one play; `play` is empty for what comes before all of them. */
export type Report = Step & { play: string }

type Tables = ReturnType<typeof openPageTables>

/** The bot for each, over a pool: the same as in the service, but for the stage. */
const PLATFORMS: Readonly<Record<Rehearsed, (pool: BrowserPool, tables: Tables) => Platform>> = {
  meet: (pool, tables) => createGoogleMeet({ pool, table: () => tables.tableOf('google_meet') }),
  teams: (pool, tables) =>
    createMicrosoftTeams({ pool, table: () => tables.tableOf('microsoft_teams') }),
}

/** Joins meetings on the stage with this machine's own browser and tells what works, as it goes. */
export async function* rehearse(
  options: RehearsalOptions,
): AsyncGenerator<Report, void, undefined> {
  const { machine, cache, log } = options
  // The operator's own Chrome sees the world; the stage is only for browsers that we start.
  const settings = { ...options.settings, browserCdp: undefined }
  const programmes = await Promise.all(
    options.which.map(async (which) => ({
      which,
      plays: await programmeOf(which, options.script),
    })),
  )
  const browser = await browserStep({ ...options, settings })
  yield { play: '', ...browser }
  if (!browser.ok) return
  await using stage = await openStage()
  const opening = { names: ALL_HOSTS, address: '127.0.0.1', port: stage.port }
  const stageArguments = stage.browserArguments
  await using pool = await openBrowserPool({
    settings,
    machine,
    cache,
    log,
    opening,
    stageArguments,
  })
  const tables = openPageTables(options.selectorsFile, log)
  for (const { which, plays } of programmes) {
    const platform = PLATFORMS[which](pool, tables)
    // At once: they are in rooms of their own, and nobody likes to wait.
    for (const reports of plays.map((play) => perform(stage, platform, play))) yield* await reports
  }
}

async function perform(stage: Stage, platform: Platform, play: Play): Promise<Report[]> {
  const name = play.source === null ? platform.title : `${platform.title}, ${play.source}`
  try {
    const seen = await observe(stage, platform, play)
    return judge(seen, play).map((step) => ({ play: name, ...step }))
  } catch (error) {
    return [{ play: name, name: 'visit', ok: false, detail: messageOf(error) }]
  }
}

async function browserStep({ settings, machine, cache }: RehearsalOptions): Promise<Step> {
  const name = 'browser'
  try {
    const browser = await findBrowser(settings, machine)
    if (browser === null) return { name, ok: false, detail: `none found. ${INSTALL_HINT}` }
    return { name, ok: true, detail: await probeBrowser(browser, cache, machine) }
  } catch (error) {
    const mend = error instanceof OperatorError && error.mend ? `. ${error.mend}` : ''
    return { name, ok: false, detail: `${messageOf(error)}${mend}` }
  }
}
