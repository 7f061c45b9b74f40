import { wrapPoolToSaveAccountStates } from '../bots/accounts/account-refresh-pool.ts'
import { createBotAccounts, type BotAccounts } from '../bots/accounts/bot-accounts.ts'
import type { HostEnvironment } from '../bots/browser/launch/find-browser.ts'
import {
  createBrowserNetworkProbe,
  findProbeObstacle,
  type ProbeSite,
} from '../bots/browser/network/reachability/probe-site.ts'
import type { BrowserPoolWithCount } from '../bots/browser/pool/browser-pool.ts'
import type { BrowserPool } from '../bots/browser/pool/browser-slot.ts'
import { createBrowserMetrics, type BrowserMetrics } from '../bots/browser/pool/pool-metrics.ts'
import type { GaleneSettings } from '../bots/platforms/galene/galene.ts'
import { createTokenSigner } from '../bots/platforms/livekit/access-token.ts'
import type { LivekitSettings } from '../bots/platforms/livekit/livekit.ts'
import {
  createTeamsBotTokenLoader,
  type TeamsCredentials,
} from '../bots/platforms/microsoft-teams/bot-identification.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import type { StreamAddressRules } from '../bots/platforms/zoom/protocol/addresses.ts'
import type { StreamTimeouts } from '../bots/platforms/zoom/stream-session.ts'
import type { ZoomApp } from '../bots/platforms/zoom/zoom.ts'
import { createZoomStreams } from '../bots/zoom-app/stream-store.ts'
import { createZoomWebhooks, type ZoomWebhooks } from '../bots/zoom-app/webhooks.ts'
import { createPlatformPageModelLoader, createPlatforms } from '../bots/platforms/registry.ts'
import type { Config } from '../config/config.ts'
import { createLazyValue } from '../lib/async/sharing.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { SpeechArea } from '../speech/area.ts'
import type { FetchPackage } from '../speech/install/npm-pack.ts'
import { readFileOrStdin } from '../storage/data-folder.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'
import { openSpeechAreaFromConfig } from './speech.ts'

/** The platforms that bots can join, and the bot accounts that they can use. */
export type BotPlatformsArea = AsyncDisposable & {
  /** The meeting platforms in order of priority. The first that recognises a meeting link handles it. */
  platforms: Platform[]
  accounts: BotAccounts
  pageModels: ReturnType<typeof createPlatformPageModelLoader>
  metrics: BrowserMetrics
  /** Recognizes what participants say. */
  speech: SpeechArea
  /** Receives the webhooks of Zoom; null without a Zoom app. */
  zoomWebhooks: ZoomWebhooks | null
}

/** Replaces servers of Zoom in tests. */
export type ZoomTestServers = { origins: readonly string[]; timeouts?: Partial<StreamTimeouts> }

/** Seconds for the evidence of a page that never offered a way into the meeting. */
const EVIDENCE_SECONDS = 10

type Parts = {
  config: Config
  log: Log
  clock: Clock
  storage: MigratedStorage
  machine: HostEnvironment
  /** Where the packaged browser is unpacked. */
  cache: string
  /** Replaces the internet in the check after a bot could not open its meeting page. */
  probeSite?: ProbeSite | undefined
  /** Replaces npm when speech recognition is installed. */
  fetchSpeechPackage?: FetchPackage | undefined
  /** The rules for the addresses that the service connects to. */
  policy: StreamAddressRules
  zoomTestServers?: ZoomTestServers | undefined
}

/** Opens what bots need before any meeting: platforms, bot accounts, page models and the browser pool. */
export async function openBotsArea(parts: Parts): Promise<BotPlatformsArea> {
  const { config, log, clock, storage, machine, cache } = parts
  const { database, secretBox } = storage
  const accounts = createBotAccounts({ db: database.db, clock, secretBox })
  const pageModels = createPlatformPageModelLoader(config.selectorsFile, log)
  // Logs problems of the selectors file at the start instead of when the first bot needs it.
  await pageModels.problems()
  // Other nodes only recognise meeting links.
  const attends = config.roles.includes('bots')
  const credentials = attends ? teamsCredentials(config) : null
  const identifyTeamsBot = createTeamsBotTokenLoader({ credentials, clock, log })
  const browsers = openPoolLazily(async () => {
    // Playwright is large. Loading it here does not slow down the start of the service.
    const { openBrowserPool } = await import('../bots/browser/pool/browser-pool.ts')
    return openBrowserPool({ settings: config, host: machine, cache, log })
  })
  const pool = wrapPoolToSaveAccountStates(browsers, accounts, log)
  const speech = openSpeechAreaFromConfig(config, log, parts.fetchSpeechPackage)
  return {
    platforms: createPlatforms({
      pool,
      openAccount: accounts.loadState,
      pageModels,
      identifyTeamsBot,
      galene: attends
        ? galeneSettings(config)
        : { hosts: config.galeneHosts ?? [], password: null },
      livekit: livekitSettings(config, attends ? clock : null),
      zoom: config.zoomClientId === undefined ? null : attends ? zoomApp(parts) : 'listed',
      breakoutRooms: config.breakoutRooms,
      speech: speech.recognition,
      ...(findProbeObstacle(config) === null && {
        probeSite: parts.probeSite ?? createBrowserNetworkProbe(),
      }),
      // The page session gives up slightly before the service does, because it collects evidence.
      timeouts: { arriveMs: (config.joinTimeout - EVIDENCE_SECONDS) * 1_000 },
      log,
    }),
    accounts,
    pageModels,
    metrics: createBrowserMetrics(browsers.countBrowsers),
    speech,
    zoomWebhooks: openZoomWebhooks(parts),
    async [Symbol.asyncDispose]() {
      await pool[Symbol.asyncDispose]()
      await speech[Symbol.asyncDispose]()
    },
  }
}

type LazyBrowserPool = BrowserPool & { countBrowsers(): Promise<number> }

/** Opens the browser pool when the first bot needs it, because many instances send no bot for days. */
function openPoolLazily(open: () => Promise<BrowserPoolWithCount>): LazyBrowserPool {
  const pool = createLazyValue(open)
  const closing = new AbortController()
  return {
    async acquire(wishes, signal) {
      closing.signal.throwIfAborted()
      return (await pool.get()).acquire(wishes, signal)
    },
    countBrowsers: async () => (await pool.peek())?.browserCount() ?? 0,
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the browser pool is closing'))
      await (await pool.peek())?.[Symbol.asyncDispose]()
    },
  }
}

/** The Microsoft Teams credentials in the settings. Null if none are set. The settings check requires all or none. */
function teamsCredentials(config: Config): TeamsCredentials | null {
  const { teamsTenant: tenant, teamsClientId: clientId, teamsLoginUrl: loginUrl } = config
  if (tenant === undefined || clientId === undefined) return null
  const { teamsClientSecret: secret, teamsClientSecretFile: file = '' } = config
  const clientSecret = secret ?? readFileOrStdin('HANSARD_TEAMS_CLIENT_SECRET_FILE', file)
  return { tenant, clientId, clientSecret, loginUrl }
}

/** The Zoom app of the settings. The settings check requires the id and both secrets, or none. */
function zoomApp({ config, storage, clock, policy, zoomTestServers }: Parts): ZoomApp {
  const { zoomClientId: clientId = '', zoomClientSecret, zoomClientSecretFile: file = '' } = config
  const clientSecret = zoomClientSecret ?? readFileOrStdin('HANSARD_ZOOM_CLIENT_SECRET_FILE', file)
  return {
    credentials: { clientId, clientSecret },
    streams: createZoomStreams({ db: storage.database.db, clock }),
    addresses: { ...policy, ...(zoomTestServers && { testOrigins: zoomTestServers.origins }) },
    ...(zoomTestServers?.timeouts && { timeouts: zoomTestServers.timeouts }),
  }
}

function openZoomWebhooks({ config, storage, clock, log }: Parts): ZoomWebhooks | null {
  const { zoomClientId, zoomWebhookSecret, zoomWebhookSecretFile: file = '' } = config
  if (zoomClientId === undefined || !config.roles.includes('api')) return null
  const secret = zoomWebhookSecret ?? readFileOrStdin('HANSARD_ZOOM_WEBHOOK_SECRET_FILE', file)
  return createZoomWebhooks({ db: storage.database.db, clock, log, secret })
}

function galeneSettings(config: Config): GaleneSettings {
  const { galeneHosts: hosts = [], galenePassword, galenePasswordFile: file } = config
  if (file === undefined) return { hosts, password: galenePassword ?? null }
  return { hosts, password: readFileOrStdin('HANSARD_GALENE_PASSWORD_FILE', file) }
}

/** A node without a clock attends no meetings. It only recognises links, and needs no key. */
function livekitSettings(config: Config, clock: Clock | null): LivekitSettings {
  const { livekitHosts: hosts = [], laSuiteMeetHosts = [], livekitApiKey: apiKey } = config
  if (apiKey === undefined || clock === null) return { hosts, laSuiteMeetHosts, signToken: null }
  const { livekitApiSecret: secret, livekitApiSecretFile: file = '' } = config
  const apiSecret = secret ?? readFileOrStdin('HANSARD_LIVEKIT_API_SECRET_FILE', file)
  const signToken = createTokenSigner({ apiKey, apiSecret }, clock)
  return { hosts, laSuiteMeetHosts, signToken }
}
