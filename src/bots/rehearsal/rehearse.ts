import { ALL_HOSTS } from '../../../stage/server/hosts.ts'
import { openStage, type Stage } from '../../../stage/stage.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { errorMessageOf } from '../../lib/error-code.ts'
import { findBrowser, INSTALL_HINT, readBrowserVersion } from '../browser/launch/find-browser.ts'
import { openBrowserPool, type BrowserPoolOptions } from '../browser/pool/browser-pool.ts'
import type { Platform } from '../platforms/platform.ts'
import { createPlatformPageModelLoader, PLATFORM_DEFINITIONS } from '../platforms/registry.ts'
import { evaluateRehearsal, type RehearsalCheckResult } from './evaluate.ts'
import { requireRehearsalPlatform, type RehearsalPlatformCliName } from './rehearsal-platforms.ts'
import { loadRehearsalCases, type RehearsalCase, runRehearsalCase } from './run-case.ts'

export type RehearsalOptions = Pick<BrowserPoolOptions, 'settings' | 'host' | 'cache' | 'log'> & {
  platforms: readonly RehearsalPlatformCliName[]
  /** Name of a script in stage/scripts/; undefined for the short meeting. */
  script: string | undefined
  selectorsFile: string | undefined
}

/** The result of one step. `play` names the case; it is empty for the steps before the first case. */
export type RehearsalReportEntry = RehearsalCheckResult & { play: string }

/** Joins meetings on the stage with this machine's browser, and yields each result as soon as it is known. */
export async function* rehearse(
  options: RehearsalOptions,
): AsyncGenerator<RehearsalReportEntry, void, undefined> {
  const { host, cache, log } = options
  // The operator's own Chrome cannot be redirected to the stage, so only browsers that we start are used.
  const settings = { ...options.settings, browserCdp: undefined }
  const casesByPlatform = await Promise.all(
    options.platforms.map(async (cliName) => ({
      cliName,
      cases: await loadRehearsalCases(cliName, options.script),
    })),
  )
  const browser = await checkBrowser({ ...options, settings })
  yield { play: '', ...browser }
  if (!browser.ok) return
  await using stage = await openStage()
  const stageRoute = { hostnames: ALL_HOSTS, address: '127.0.0.1', port: stage.port }
  const stageArguments = stage.browserArguments
  await using pool = await openBrowserPool({
    settings,
    host,
    cache,
    log,
    stageRoute,
    stageArguments,
  })
  const pageModels = createPlatformPageModelLoader(options.selectorsFile, log)
  for (const { cliName, cases } of casesByPlatform) {
    const platform = PLATFORM_DEFINITIONS[requireRehearsalPlatform(cliName).name].create({
      pool,
      pageModels,
      log,
    })
    // The cases run concurrently, each in its own meeting.
    for (const reports of cases.map((rehearsalCase) =>
      runAndEvaluate(stage, platform, rehearsalCase),
    ))
      yield* await reports
  }
}

async function runAndEvaluate(
  stage: Stage,
  platform: Platform,
  rehearsalCase: RehearsalCase,
): Promise<RehearsalReportEntry[]> {
  const name =
    rehearsalCase.source === null ? platform.title : `${platform.title}, ${rehearsalCase.source}`
  try {
    const observations = await runRehearsalCase(stage, platform, rehearsalCase)
    return evaluateRehearsal(observations, rehearsalCase).map((step) => ({ play: name, ...step }))
  } catch (error) {
    return [{ play: name, name: 'visit', ok: false, detail: errorMessageOf(error) }]
  }
}

async function checkBrowser({
  settings,
  host,
  cache,
}: RehearsalOptions): Promise<RehearsalCheckResult> {
  const name = 'browser'
  try {
    const browser = await findBrowser(settings, host)
    if (browser === null) return { name, ok: false, detail: `none found. ${INSTALL_HINT}` }
    return { name, ok: true, detail: await readBrowserVersion(browser, cache, host) }
  } catch (error) {
    const fix = error instanceof OperatorError && error.fix ? `. ${error.fix}` : ''
    return { name, ok: false, detail: `${errorMessageOf(error)}${fix}` }
  }
}
