import { readFileSync } from 'node:fs'
import { createProjectAccessStore, type ProjectAccessStore } from '../access/project-access.ts'
import { createShareLinks, type ShareLinks } from '../access/sharing/share-links.ts'
import { createAccountsArea, type AccountsArea } from '../accounts/area.ts'
import type { PasswordHasher } from '../accounts/sign-in/passwords.ts'
import {
  createSigningSecretReader,
  type TokenSigningSecrets,
} from '../accounts/tokens/token-store.ts'
import { createAskArea, type AskArea } from '../ask/area.ts'
import type { Platform, PlatformName } from '../bots/platforms/platform.ts'
import type { SpeechRecognition } from '../bots/platforms/speech/recognition.ts'
import type { CalendarsArea } from '../calendars/area.ts'
import {
  callbackPolicyOf,
  needsMasterKey,
  showsPrivateAnswers,
  type Config,
} from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { openNodeMembership, type NodeMembership } from '../db/nodes/node-membership.ts'
import { lackBotsMasterKey } from '../db/nodes/node-roles.ts'
import { openDeliveriesArea, type DeliveriesArea } from '../deliveries/area.ts'
import type { LaneRules } from '../deliveries/lane/retry-policy.ts'
import { parseListenerName } from '../deliveries/listeners.ts'
import { createNetworkPolicy } from '../deliveries/network/network-policy.ts'
import { OperatorError } from '../errors.ts'
import type { Shutdown } from '../lib/async/shutdown.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { readMachineSize } from '../lib/machine-size.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { Log } from '../log.ts'
import { openMeetingsArea, type MeetingsArea } from '../meetings/area.ts'
import { calculateMaxBots, MAX_PRACTICE_BOTS } from '../meetings/attending/claiming/capacity.ts'
import { isLastEvent } from '../meetings/event-types.ts'
import { openProjectsArea, type ProjectsArea } from '../projects/area.ts'
import { requireProjectExists } from '../projects/listing.ts'
import { openRecapArea, type RecapArea } from '../recap/area.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'
import type { BotPlatformsArea } from './bots.ts'
import {
  openCalendarsAreaFromConfig,
  openDocumentStorage,
  type DocumentStorage,
  createSignInProvider,
} from './configured-areas.ts'
import { createAnswerModel, createCoachModelOpener, createRecapModel } from './language-models.ts'
import { beforeUserRemoval } from './revocation/before-user-removal.ts'
import { afterTokensRevoked } from './revocation/cancel-token-meetings.ts'
import type { ServiceParts } from './service-parts.ts'

export type Areas = {
  membership: NodeMembership
  accounts: AccountsArea
  meetings: MeetingsArea
  deliveries: DeliveriesArea
  projects: ProjectsArea
  recap: RecapArea
  ask: AskArea
  calendars: CalendarsArea
  projectAccess: ProjectAccessStore
  shares: ShareLinks
  secretsOf(tokenId: string): Promise<TokenSigningSecrets | null>
  documentStorage: DocumentStorage
}

type Parts = {
  opened: ServiceParts
  shutdown: Shutdown
  config: Config
  log: Log
  clock: Clock
  storage: MigratedStorage
  platforms: readonly Platform[]
  botAccounts: BotPlatformsArea['accounts']
  speech: Pick<SpeechRecognition, 'findObstacle'>
  laneRules: Partial<LaneRules> | undefined
  passwords: PasswordHasher | undefined
  platformCloseMs: number | undefined
  /** Ports on which this service listens. Callbacks to them are refused. */
  ownPorts(): number[]
  /** The URL where people open the service. */
  baseUrl(): string
  /** How many threads of this process resolve DNS names. */
  dnsThreads: number
}

/** Opens the areas except tasks, which need the job queue and follow later. */
export async function openAreas(parts: Parts): Promise<Areas> {
  const { config, log, clock, storage, platforms, opened, shutdown } = parts
  const { db, pool } = storage.database
  const { secretBox } = storage
  const base = { db, pool, clock, log }
  const bots = {
    bots: config.maxBots ?? calculateMaxBots(readMachineSize()),
    practiceBots: MAX_PRACTICE_BOTS,
  }
  const ownsDatabase = config.databaseUrl === undefined
  const abilities = { roles: config.roles, hasMasterKey: storage.hasMasterKey }
  const membership = await opened.open('node membership', () =>
    openNodeMembership({ ...base, ...abilities, capacity: bots, ownsDatabase }),
  )
  const policy = createNetworkPolicy({
    level: callbackPolicyOf(config),
    allow: config.callbackAllow ?? [],
    deny: config.callbackDeny ?? [],
    ownPorts: parts.ownPorts,
    database: storage.remoteAddress,
    dnsThreads: parts.dnsThreads,
  })
  const findCallbackProblem = async (url: string) =>
    parseListenerName(url) === null ? policy.checkUrlWithDns(url) : null
  const secretsOf = createSigningSecretReader({ db, clock, secretBox })
  // A node that only attends meetings sends no callbacks and reads no calendars.
  const extraCa = needsMasterKey(config) ? readCaFile(config.callbackCaFile) : undefined
  const deliveries = await opened.open('deliveries', () =>
    openDeliveriesArea({
      ...base,
      membership,
      shutdown,
      policy,
      showsPrivateAnswers: showsPrivateAnswers(config),
      findCallbackProblem,
      secretsOf,
      isLastEvent,
      rules: { timeoutMs: config.callbackTimeout * 1000, ...parts.laneRules },
      giveUpMs: config.callbackGiveUpHours * HOUR_MS,
      extraCa,
    }),
  )
  const documentStorage = await openDocumentStorage({ config, db, log, membership, shutdown })
  const { files, hasDiskSpace } = documentStorage
  const { defaultAccess } = config
  const projectAccess = createProjectAccessStore({ db, clock, defaultAccess })
  const { registerProject } = projectAccess
  const projects = await opened.open('projects', () =>
    openProjectsArea({ ...base, files, hasDiskSpace, registerProject }),
  )
  const meetings = await opened.open('meetings', () =>
    openMeetingsArea({
      ...base,
      shutdown,
      files,
      platforms,
      membership,
      engine: deliveries.engine,
      projects,
      registerProject,
      bots,
      queue: { limit: config.queueLimit, timeoutMs: config.queueTimeout * 1000 },
      joinTimeout: config.joinTimeout,
      platformCloseMs: parts.platformCloseMs,
      timeZone: config.timeZone,
      hasDiskSpace,
      openCoachModel: createCoachModelOpener({ config, db, clock, log }),
      findCallbackProblem,
      findAccountProblem: createAccountCheck(parts, membership),
      findSpeechProblem: config.roles.includes('bots')
        ? parts.speech.findObstacle
        : async () => null,
    }),
  )
  const recap = await opened.open('recaps', () =>
    openRecapAreaFromConfig({ ...base, config, files, membership, meetings, projects }),
  )
  meetings.onMeetingEnded(recap.wake)
  const ask = createAskAreaFromConfig({ ...base, config, meetings, projects, recap })
  const calendars = await opened.open('calendars', () =>
    openCalendarsAreaFromConfig({
      ...parts,
      membership,
      meetings: meetings.meetings,
      policy,
      extraCa,
      findCallbackProblem,
    }),
  )
  const accounts = await openAccountsAreaFromConfig(parts)
  const shares = createShareLinks({ ...base, ...accounts, isOn: config.sharing })
  return {
    membership,
    accounts,
    meetings,
    deliveries,
    projects,
    recap,
    ask,
    calendars,
    projectAccess,
    shares,
    secretsOf,
    documentStorage,
  }
}

async function openAccountsAreaFromConfig(parts: Parts): Promise<AccountsArea> {
  const { config, clock, log, storage, passwords, ownPorts, baseUrl } = parts
  const provider = config.roles.includes('api')
    ? createSignInProvider({
        config,
        ownPorts,
        database: storage.remoteAddress,
      })
    : null
  if (provider !== null) await parts.opened.open('sign-in provider', () => provider)
  return createAccountsArea({
    db: storage.database.db,
    clock,
    log,
    secretBox: storage.secretBox,
    passwords,
    beforeUserRemoval,
    afterTokensRevoked,
    signIn: { hasLocalSignIn: config.localSignIn, provider, baseUrl },
  })
}

type RecapParts = Pick<Areas, 'membership' | 'meetings' | 'projects'> &
  Pick<DocumentStorage, 'files'> &
  Pick<Parts, 'config' | 'log' | 'clock'> & { db: Db }

function openRecapAreaFromConfig({ config, meetings, projects, ...base }: RecapParts): RecapArea {
  return openRecapArea({
    ...base,
    timeZone: config.timeZone,
    isAutomatic: config.recap,
    model: config.roles.includes('tasks') ? createRecapModel({ ...base, config }) : null,
    documentChanged: projects.documentChanged,
    publishEvents: meetings.publishLateEvents,
  })
}

type AskParts = Pick<Areas, 'meetings' | 'projects' | 'recap'> &
  Pick<Parts, 'config' | 'log' | 'clock'> & { db: Db }

function createAskAreaFromConfig(parts: AskParts): AskArea {
  const { config, meetings, projects, recap, ...base } = parts
  return createAskArea({
    ...base,
    model: config.roles.includes('api') ? createAnswerModel({ ...base, config }) : null,
    findPassagesForQuestion: projects.findPassagesForQuestion,
    listKeySegments: recap.recaps.listCitedSegments,
    loadSegmentPassages: projects.loadSegmentPassages,
    requireProjectExists: (id) => requireProjectExists(base.db, id),
    requireMeetingExists: async (id) => void (await meetings.meetings.get(id)),
  })
}

/** Bot accounts are encrypted, so only a node with the master key can use them. */
function createAccountCheck({ botAccounts, storage }: Parts, membership: NodeMembership) {
  return async (platform: PlatformName | null, account: string) => {
    const problem = await botAccounts.findProblem(platform, account)
    if (problem !== null || membership.hasRole('bots')) return problem
    return (await lackBotsMasterKey(storage.database.db))
      ? 'No running node with the role bots has the master key, which bot accounts need'
      : null
  }
}

function readCaFile(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new OperatorError(
      `The certificates in ${path} cannot be read: ${errorMessageOf(error)}`,
      'Check HANSARD_CALLBACK_CA_FILE',
      error,
    )
  }
}
