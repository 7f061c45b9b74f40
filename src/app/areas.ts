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
import { countBrief } from '../brief/brief.ts'
import { createBriefCollector, type BriefCollector } from '../brief/collect-brief.ts'
import type { CalendarsArea } from '../calendars/area.ts'
import { findOccurrenceOfTranscript } from '../calendars/find-occurrence.ts'
import { listInvitedNames } from '../calendars/invitations.ts'
import { UPCOMING_REASON_TEXTS } from '../calendars/planning/reasons.ts'
import type { ConnectionsArea } from '../connections/area.ts'
import { findCaptureProblem } from '../connections/end-captures.ts'
import type { TranscriptTargets } from '../connections/import-transcript.ts'
import type { GoogleHosts } from '../network/google-hosts.ts'
import type { MicrosoftHostsByCloud } from '../network/microsoft-hosts.ts'
import { needsMasterKey, showsPrivateAnswers, type Config } from '../config/config.ts'
import { openNodeMembership, type NodeMembership } from '../db/nodes/node-membership.ts'
import { lackBotsMasterKey } from '../db/nodes/node-roles.ts'
import { openDeliveriesArea, type DeliveriesArea } from '../deliveries/area.ts'
import type { LaneRules } from '../deliveries/lane/retry-policy.ts'
import { parseListenerName } from '../deliveries/listeners.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { OperatorError } from '../lib/operator-error.ts'
import type { Shutdown } from '../lib/async/shutdown.ts'
import { errorMessageOf } from '../lib/error-code.ts'
import { readMachineSize } from '../lib/machine-size.ts'
import type { Clock } from '../lib/time/clock.ts'
import { HOUR_MS } from '../lib/time/durations.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { Log } from '../log.ts'
import type { MailArea } from '../mail/area.ts'
import { openMeetingsArea, type MeetingsArea } from '../meetings/area.ts'
import { calculateMaxBots, MAX_PRACTICE_BOTS } from '../meetings/attending/claiming/capacity.ts'
import { isLastEvent } from '../meetings/event-types.ts'
import { createOfficialTranscripts } from '../meetings/official/official-transcripts.ts'
import { createProvisioningArea, type ProvisioningArea } from '../provisioning/area.ts'
import { findProvisionedUser } from '../provisioning/find-provisioned-user.ts'
import { openProjectsArea, type ProjectsArea } from '../projects/area.ts'
import { requireProjectExists } from '../projects/listing.ts'
import { openRecapArea, type RecapArea } from '../recap/area.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'
import type { BotPlatformsArea } from './bots.ts'
import {
  openCalendarsAreaFromConfig,
  openConnectionsAreaFromConfig,
  openDocumentStorage,
  type DocumentStorage,
  createSignInProvider,
  openOAuthOptions,
  publicUrlOf,
  toRecapSettings,
} from './configured-areas.ts'
import { createLanguageModels } from './language-models.ts'
import { openMailAreaFromConfig } from './mail.ts'
import { openRecordingsArea, type RecordingsArea } from '../recordings/area.ts'
import { createRecapMailer } from './recap-mail.ts'
import { beforeUserDeactivation } from './revocation/before-user-deactivation.ts'
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
  collectBrief: BriefCollector
  mail: MailArea
  connections: ConnectionsArea
  recordings: RecordingsArea
  projectAccess: ProjectAccessStore
  provisioning: ProvisioningArea
  shares: ShareLinks
  secretsOf(tokenId: string): Promise<TokenSigningSecrets | null>
  documentStorage: DocumentStorage
}

type Parts = {
  opened: ServiceParts
  shutdown: Shutdown
  config: Config
  log: Log
  tracer: Tracer
  clock: Clock
  storage: MigratedStorage
  platforms: readonly Platform[]
  botAccounts: BotPlatformsArea['accounts']
  speech: SpeechRecognition
  laneRules: Partial<LaneRules> | undefined
  passwords: PasswordHasher | undefined
  platformCloseMs: number | undefined
  microsoftHosts: MicrosoftHostsByCloud | undefined
  googleHosts: GoogleHosts | undefined
  /** The rules for addresses that people or other services name. */
  policy: NetworkPolicy
  /** Ports on which this service listens. Callbacks to them are refused. */
  ownPorts(): number[]
  /** The URL where people open the service. */
  baseUrl(): string
  /** How many threads of this process resolve DNS names. */
  dnsThreads: number
}

/** Opens the areas except tasks, which follow later. */
export async function openAreas(parts: Parts): Promise<Areas> {
  const { config, log, tracer, clock, storage, platforms, opened, shutdown } = parts
  const { db, pool } = storage.database
  const base = { db, pool, clock, log, tracer }
  const maxBots = config.maxBots ?? calculateMaxBots(readMachineSize())
  const bots = { bots: maxBots, practiceBots: MAX_PRACTICE_BOTS }
  const ownsDatabase = config.databaseUrl === undefined
  const abilities = { roles: config.roles, hasMasterKey: storage.hasMasterKey }
  const membership = await opened.open('node membership', () =>
    openNodeMembership({ ...base, ...abilities, capacity: bots, ownsDatabase }),
  )
  const { policy } = parts
  const findCallbackProblem = async (url: string) =>
    parseListenerName(url) === null ? policy.checkUrlWithDns(url) : null
  const secretsOf = createSigningSecretReader({ db, clock, secretBox: storage.secretBox })
  const extraCa = readCallbackCa(config)
  const addresses = { policy, findCallbackProblem, secretsOf, extraCa }
  const deliveries = await opened.open('deliveries', () =>
    openDeliveriesAreaFromConfig(parts, membership, addresses),
  )
  const documentStorage = await openDocumentStorage({ config, db, log, membership, shutdown })
  const { files, hasDiskSpace } = documentStorage
  const projectAccess = createProjectAccessStore({ db, clock, defaultAccess: config.defaultAccess })
  const languageModels = createLanguageModels({ config, ...base })
  const projects = await opened.open('projects', () =>
    openProjectsArea({ ...base, ...projectAccess, files, hasDiskSpace }),
  )
  const collectBrief = createBriefCollector({ db, search: projects.search })
  const meetings = await opened.open('meetings', () =>
    openMeetingsArea({
      ...base,
      shutdown,
      files,
      platforms,
      membership,
      engine: deliveries.engine,
      projects,
      ...projectAccess,
      bots,
      queue: { limit: config.queueLimit, timeoutMs: config.queueTimeout * 1000 },
      joinTimeout: config.joinTimeout,
      platformCloseMs: parts.platformCloseMs,
      timeZone: config.timeZone,
      hasDiskSpace,
      openCoachModel: languageModels.coach,
      findCallbackProblem,
      findBriefCounts: async (viewer, id) => countBrief(await collectBrief(viewer, id)),
      findAccountProblem: createAccountCheck(parts, membership),
      listInvitedNames: (meetingId) => listInvitedNames(db, meetingId),
      findCaptureProblem: (platform) => findCaptureProblem(db, platform),
      findSpeechProblem: config.roles.includes('bots')
        ? parts.speech.findObstacle
        : async () => null,
    }),
  )
  const recap = await opened.open('recaps', () =>
    openRecapArea({
      ...base,
      files,
      membership,
      ...toRecapSettings(config),
      model: languageModels.recap,
      documentChanged: projects.documentChanged,
      onRecapReady: createRecapMailer(parts),
      publishEvents: meetings.publishLateEvents,
      onItemsChanged: meetings.notifyRecapItemsChanged,
    }),
  )
  meetings.onMeetingEnded(recap.wake)
  const reading = { ...parts, membership, policy, extraCa }
  const calendars = await opened.open('calendars', () =>
    openCalendarsAreaFromConfig({ ...reading, meetings: meetings.meetings, findCallbackProblem }),
  )
  const connections = await opened.open('connections', () =>
    openConnectionsAreaFromConfig({ ...reading, ...toTranscriptTargets(parts, meetings, recap) }),
  )
  const recordings = await opened.open('recordings', () =>
    openRecordingsAreaFromConfig(parts, membership, {
      ...projectAccess,
      hasDiskSpace,
      imports: meetings.imports,
    }),
  )
  const mail = await opened.open('mail', () =>
    openMailAreaFromConfig(parts, membership, recap, collectBrief),
  )
  const accounts = await openAccountsAreaFromConfig(parts, mail, meetings, extraCa)
  return {
    membership,
    accounts,
    meetings,
    deliveries,
    projects,
    recap,
    ask: openAskArea(parts, { projects, meetings, recap, model: languageModels.answer }),
    calendars,
    collectBrief,
    mail,
    connections,
    recordings,
    projectAccess,
    provisioning: createProvisioningArea({ ...base, accounts, projectAccess }),
    shares: createShareLinks({ ...base, ...accounts, isOn: config.sharing }),
    secretsOf,
    documentStorage,
  }
}

type DeliveriesParts = Parameters<typeof openDeliveriesArea>[0]

function openDeliveriesAreaFromConfig(
  { config, storage, laneRules, ...parts }: Parts,
  membership: NodeMembership,
  addresses: Pick<DeliveriesParts, 'policy' | 'findCallbackProblem' | 'secretsOf' | 'extraCa'>,
): DeliveriesArea {
  return openDeliveriesArea({
    ...parts,
    ...storage.database,
    membership,
    ...addresses,
    showsPrivateAnswers: showsPrivateAnswers(config),
    secretBox: storage.secretBox,
    publicUrl: publicUrlOf(config),
    isLastEvent,
    rules: { timeoutMs: config.callbackTimeout * 1000, ...laneRules },
    giveUpMs: config.callbackGiveUpHours * HOUR_MS,
  })
}

type RecordingsParts = Parameters<typeof openRecordingsArea>[0]

function openRecordingsAreaFromConfig(
  { config, storage, speech, ...parts }: Parts,
  membership: NodeMembership,
  rest: Pick<RecordingsParts, 'registerProject' | 'hasDiskSpace' | 'imports'>,
): RecordingsArea {
  return openRecordingsArea({
    ...parts,
    ...rest,
    db: storage.database.db,
    secretBox: storage.secretBox,
    hasMasterKey: storage.hasMasterKey,
    membership,
    timeZone: config.timeZone,
    limits: { maxBytes: config.recordingMiB * 1024 ** 2, maxMs: config.recordingHours * HOUR_MS },
    recognition: speech,
  })
}

/** What becomes of the transcripts that connections find. */
function toTranscriptTargets(
  { storage, platforms }: Parts,
  meetings: MeetingsArea,
  { recaps }: RecapArea,
): TranscriptTargets {
  const { db } = storage.database
  return {
    imports: meetings.imports,
    captures: meetings.captures,
    official: createOfficialTranscripts({
      ...meetings,
      db,
      platforms,
      renewRecap: recaps.followLines,
      afterRenewal: recaps.afterEdit,
    }),
    async findOccurrence(organizerId, about) {
      const found = await findOccurrenceOfTranscript(db, organizerId, about)
      const refusal = found?.refusal ?? null
      return found && { ...found, refusal: refusal && UPCOMING_REASON_TEXTS[refusal] }
    },
  }
}

function openAskArea(
  { clock, config, log, storage }: Parts,
  { projects, meetings, recap, model }: AskSources,
): AskArea {
  const { db } = storage.database
  return createAskArea({
    clock,
    log,
    ...projects,
    ...recap.recaps,
    model,
    timeZone: config.timeZone,
    requireProjectExists: (id) => requireProjectExists(db, id),
    requireMeetingExists: async (id) => void (await meetings.meetings.get(id)),
  })
}

type AskSources = Pick<Areas, 'projects' | 'meetings' | 'recap'> & {
  model: Parameters<typeof createAskArea>[0]['model']
}

async function openAccountsAreaFromConfig(
  parts: Parts,
  { linkMailer }: Pick<MailArea, 'linkMailer'>,
  { meetings }: Pick<MeetingsArea, 'meetings'>,
  extraCa: string | undefined,
): Promise<AccountsArea> {
  const { config, clock, log, storage, passwords, ownPorts, baseUrl } = parts
  const provider = config.roles.includes('api')
    ? createSignInProvider({
        config,
        ownPorts,
        database: storage.remoteAddress,
      })
    : null
  if (provider !== null) await parts.opened.open('sign-in provider', () => provider)
  const oauth = openOAuthOptions(parts, extraCa)
  if (oauth !== null) await parts.opened.open('assistants', () => oauth)
  return createAccountsArea({
    db: storage.database.db,
    clock,
    log,
    secretBox: storage.secretBox,
    passwords,
    linkMailer,
    beforeUserRemoval,
    beforeUserDeactivation,
    afterTokensRevoked,
    onUserDeactivated: meetings.wakeBots,
    findProvisionedUser,
    signIn: { hasLocalSignIn: config.localSignIn, provider, baseUrl },
    oauth,
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

/** A node that only attends meetings needs none: it sends no callbacks and reads no calendars. */
function readCallbackCa(config: Config): string | undefined {
  const path = config.callbackCaFile
  if (path === undefined || !needsMasterKey(config)) return undefined
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
