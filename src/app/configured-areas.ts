import { join } from 'node:path'
import type * as Undici from 'undici'
import type { OAuthOptions, SignInProviderOptions } from '../accounts/area.ts'
import type { OpenIdProviderOptions } from '../accounts/sign-in/provider/openid-provider.ts'
import type { Platform } from '../bots/platforms/platform.ts'
import { openCalendarsArea, type CalendarsArea } from '../calendars/area.ts'
import { openConnectionsArea, type ConnectionsArea } from '../connections/area.ts'
import type { GoogleHosts } from '../network/google-hosts.ts'
import type { MicrosoftHostsByCloud } from '../network/microsoft-hosts.ts'
import {
  type Config,
  callbackPolicyOf,
  toPromptModelSettings,
  needsDiskSpace,
} from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { enqueueMessages } from '../deliveries/notifications/enqueue-messages.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { isOriginSafeForSecrets } from '../config/setting-schemas.ts'
import { createTrustedTlsContext } from '../network/connection-pool.ts'
import { createJsonFetcher } from '../network/fetch-json.ts'
import { type NetworkPolicy, createNetworkPolicy } from '../network/network-policy.ts'
import type { Shutdown } from '../lib/async/shutdown.ts'
import { readFreeDiskSpace } from '../lib/files/folders.ts'
import { lazyRequire } from '../lib/lazy-require.ts'
import { localHttpUrl } from '../lib/net/ip-addresses.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Tracer } from '../lib/tracer.ts'
import type { Log } from '../log.ts'
import { formatChatNotice } from '../meetings/chat/notice-and-commands.ts'
import type { LeaveRules, MeetingOptions } from '../meetings/meeting.ts'
import type { TranscriptTargets } from '../connections/import-transcript.ts'
import type { Meetings } from '../meetings/meetings.ts'
import { requirePlaceOfDocuments } from '../projects/document-place.ts'
import { createDatabaseDocuments } from '../projects/files/store/database-documents.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import { createFolderDocuments } from '../projects/files/store/folder-documents.ts'
import { readFileOrStdin } from '../storage/data-folder.ts'
import type { MigratedStorage } from '../storage/open-storage.ts'
import { openTasksArea, type TasksArea } from '../tasks/area.ts'
import { listPrompts, readSamplePromptHashes } from '../tasks/prompts/prompt-files.ts'
import { createDatabasePrompts } from '../tasks/prompts/store/database-prompts.ts'
import { createFolderPrompts } from '../tasks/prompts/store/folder-prompts.ts'
import { PROMPTS_FOLDER, type PromptFiles } from '../tasks/prompts/store/prompt-storage.ts'
import type { Areas } from './areas.ts'
import type { BotPlatformsArea } from './bots.ts'

type Parts = {
  config: Config
  log: Log
  tracer: Tracer
  clock: Clock
  storage: MigratedStorage
  membership: NodeMembership
  meetings: Meetings
  platforms: readonly Platform[]
  policy: NetworkPolicy
  extraCa: string | undefined
  botAccounts: BotPlatformsArea['accounts']
  findCallbackProblem(url: string): Promise<string | null>
  baseUrl(): string
  microsoftHosts: MicrosoftHostsByCloud | undefined
  googleHosts: GoogleHosts | undefined
}

type ConfiguredTasksParts = {
  config: Config
  log: Log
  tracer: Tracer
  storage: MigratedStorage
  areas: Pick<
    Areas,
    'membership' | 'projects' | 'meetings' | 'projectAccess' | 'documentStorage' | 'collectBrief'
  >
  clock: Clock
  shutdown: Shutdown
}

type DocumentStorageParts = {
  config: Config
  db: Db
  log: Log
  membership: NodeMembership
  shutdown: Pick<Shutdown, 'begun'>
}

export type DocumentStorage = {
  files: DocumentFiles
  promptFiles: PromptFiles
  /** True if there is space for new documents, as far as this node knows. */
  hasDiskSpace(): boolean
}

const TIMEOUT_MS = 10_000

type SignInProviderParts = {
  config: Config
  ownPorts(): number[]
  database: { host: string; port: number } | null
}

type OAuthParts = Pick<Parts, 'config' | 'storage'> & {
  ownPorts(): number[]
  dnsThreads: number
}

/** undici is loaded by the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

/** A discovery document, a key set or a token is far smaller. */
const MAX_RESPONSE_BYTES = 1_000_000

type ProviderFetch = OpenIdProviderOptions['fetch']

type PolicyParts = Pick<Parts, 'config' | 'storage'> & {
  ownPorts(): number[]
  dnsThreads: number
}

/** The rules for addresses that people or other services name, as the settings have them. */
export function createCallbackPolicy(parts: PolicyParts): NetworkPolicy {
  const { config, storage, ownPorts, dnsThreads } = parts
  return createNetworkPolicy({
    level: callbackPolicyOf(config),
    allow: config.callbackAllow ?? [],
    deny: config.callbackDeny ?? [],
    ownPorts,
    database: storage.remoteAddress,
    dnsThreads,
  })
}

/** Opens the calendars area with the values of the settings. */
export function openCalendarsAreaFromConfig(parts: Parts): CalendarsArea {
  const { config, storage, botAccounts, extraCa } = parts
  return openCalendarsArea({
    ...parts,
    db: storage.database.db,
    secretBox: storage.secretBox,
    secureContext: createTrustedTlsContext(extraCa),
    publicUrl: httpsUrlOf(config),
    times: { intervalMs: config.calendarPollSeconds * 1_000, random: Math.random },
    timeZone: config.timeZone,
    defaultOptions: toDefaultOptions(config),
    findAccountProblem: (account) => botAccounts.findProblem(null, account),
  })
}

type ConnectionParts = Pick<
  Parts,
  'config' | 'log' | 'tracer' | 'clock' | 'storage' | 'membership' | 'policy' | 'extraCa'
> &
  TranscriptTargets & {
    microsoftHosts: MicrosoftHostsByCloud | undefined
    googleHosts: GoogleHosts | undefined
  }

export function openConnectionsAreaFromConfig(parts: ConnectionParts): ConnectionsArea {
  const { storage, extraCa } = parts
  return openConnectionsArea({
    ...parts,
    timeZone: parts.config.timeZone,
    publicUrl: httpsUrlOf(parts.config),
    db: storage.database.db,
    secretBox: storage.secretBox,
    secureContext: createTrustedTlsContext(extraCa),
  })
}

/** Where providers can report changes; null if this service has no public address with https. */
function httpsUrlOf({ publicUrl }: Pick<Config, 'publicUrl'>): string | null {
  return publicUrl?.startsWith('https:') ? publicUrl : null
}

/** The options of a meeting if no one chose others. */
function toDefaultOptions(config: Config): MeetingOptions {
  const { botName } = config
  const notice = formatChatNotice(config.chatNotice, { botName, hasCommands: true })
  return {
    language: null,
    botName,
    account: null,
    coach: true,
    events: null,
    leave: toLeaveRules(config),
    chat: { notice, commands: true, store: false },
  }
}

export function toLeaveRules(config: Config): LeaveRules {
  return {
    lobbyTimeout: config.leaveLobbyTimeout,
    hostTimeout: config.leaveHostTimeout,
    nobodyJoined: config.leaveNobodyJoined,
    everyoneLeft: config.leaveEveryoneLeft,
    silence: config.leaveSilence ?? null,
    maxDuration: config.leaveMaxDuration,
  }
}

/** What the settings say about recaps. */
export function toRecapSettings({
  timeZone,
  recap: isAutomatic,
  recapLanguage,
  ...config
}: Config) {
  return {
    timeZone,
    isAutomatic,
    recapLanguage: recapLanguage ?? null,
    publicUrl: publicUrlOf(config),
  }
}

/** Where people open the console, for links in what is sent to others. */
export function publicUrlOf({
  publicUrl,
  host,
  port,
}: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? localHttpUrl(host, port)
}

/** Opens the tasks area with the values of the settings. */
export function openTasksAreaFromConfig(parts: ConfiguredTasksParts): Promise<TasksArea> {
  const { config, log, storage, areas, clock } = parts
  const { membership, projects, meetings, projectAccess } = areas
  return openTasksArea({
    db: storage.database.db,
    log,
    tracer: parts.tracer,
    membership,
    ...areas.documentStorage,
    projects,
    meetings,
    collectBrief: areas.collectBrief,
    registerProject: projectAccess.registerProject,
    models: toPromptModelSettings(config),
    pricesFile: config.aiPricesFile,
    toolServersFile: config.aiMcpFile,
    budget: { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd },
    rules: {
      concurrency: config.tasksConcurrency,
      catchUp: config.tasksCatchUp,
      spreadSeconds: config.tasksSpreadSeconds,
      minIntervalMinutes: config.tasksMinIntervalMinutes,
    },
    clock,
    onFailed: (tx, { executionId, taskName, status, reason, project, at }) =>
      enqueueMessages(tx, {
        meetingId: null,
        project,
        title: taskName,
        path: `/runs/${encodeURIComponent(executionId)}`,
        events: [{ type: 'task_failed', payload: { status, reason } }],
        at,
      }),
    shutdown: parts.shutdown,
  })
}

/** Opens documents and prompts in the place that the settings name. Throws if this node must not use it. */
export async function openDocumentStorage(parts: DocumentStorageParts): Promise<DocumentStorage> {
  const { config, db } = parts
  const storage = createDocumentStorage(config, db)
  const samples = await readSamplePromptHashes()
  await requirePlaceOfDocuments({
    ...parts,
    signal: parts.shutdown.begun,
    root: config.data,
    files: storage.files,
    async hasOwnPrompts(tx, place) {
      const { promptFiles } = createDocumentStorage({ ...config, documents: place }, tx)
      const prompts = await listPrompts(promptFiles)
      return prompts.some(({ name, sha256 }) => sha256 === null || samples.get(name) !== sha256)
    },
  })
  return storage
}

function createDocumentStorage(config: Config, db: Db): DocumentStorage {
  if (config.documents === 'folder') {
    return {
      files: createFolderDocuments(config.data),
      promptFiles: createFolderPrompts(join(config.data, PROMPTS_FOLDER)),
      hasDiskSpace: () => hasDiskSpace(config),
    }
  }
  return {
    files: createDatabaseDocuments(db),
    promptFiles: createDatabasePrompts(db),
    hasDiskSpace: () => !needsDiskSpace(config) || hasDiskSpace(config),
  }
}

function hasDiskSpace({ data, minFreeDiskMb }: Config): boolean {
  const free = readFreeDiskSpace(data)
  return free.mb >= minFreeDiskMb && free.hasFileEntries
}

const DOCUMENT_LIMITS = { timeoutMs: 5_000, maxBytes: 16_384 }

/**
 * The options for assistants that connect by OAuth. Null if none can: without a public URL that protects tokens, they could
 * not reach this instance either.
 */
export function openOAuthOptions(
  { config, ownPorts, storage, dnsThreads }: OAuthParts,
  extraCa: string | undefined,
): (OAuthOptions & AsyncDisposable) | null {
  const { publicUrl: issuer, assistants } = config
  const isOn = assistants !== 'off' && issuer !== undefined && isOriginSafeForSecrets(issuer)
  if (!isOn || !config.roles.includes('api')) return null
  // A link can make the browser of a signed-in person ask for any document, so none in a private network is read.
  const policy = createNetworkPolicy({
    level: 'public-only',
    allow: config.callbackAllow ?? [],
    deny: config.callbackDeny ?? [],
    ownPorts,
    database: storage.remoteAddress,
    dnsThreads,
  })
  const secureContext = createTrustedTlsContext(extraCa)
  const fetcher = createJsonFetcher({ policy, secureContext, ...DOCUMENT_LIMITS })
  return {
    server: { issuer, acceptsRegistration: assistants === 'any' },
    fetchJson: fetcher.fetchJson,
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  }
}

/** The sign-in provider of the settings. Null if there is none. */
export function createSignInProvider(
  parts: SignInProviderParts,
): (SignInProviderOptions & AsyncDisposable) | null {
  const { config, ownPorts, database } = parts
  const { oidcIssuer: issuer, oidcClientId: clientId } = config
  if (issuer === undefined || clientId === undefined) return null
  // The operator chose the issuer, which may be in a private network. Its discovery document may not choose others.
  const policy = createNetworkPolicy({
    level: 'public-only',
    allow: config.callbackAllow ?? [],
    deny: config.callbackDeny ?? [],
    ownPorts,
    database,
  })
  const { fetch, close } = createProviderFetch(new URL(issuer).origin, policy)
  return {
    name: config.oidcName,
    openId: {
      issuer,
      clientId,
      clientSecret: readClientSecret(config),
      scopes: config.oidcScopes,
      groupsClaim: config.oidcGroupsClaim,
      needsGroups: (config.oidcRegisterGroups ?? config.oidcAdminGroups) !== undefined,
      timeoutMs: TIMEOUT_MS,
      fetch,
    },
    rules: {
      domains: config.oidcRegisterDomains ?? [],
      groups: config.oidcRegisterGroups ?? [],
      adminGroups: config.oidcAdminGroups ?? [],
      trustsEmail: config.oidcTrustEmail,
    },
    [Symbol.asyncDispose]: close,
  }
}

function readClientSecret({ oidcClientSecret: secret, oidcClientSecretFile: file }: Config) {
  if (secret !== undefined) return secret
  return file === undefined ? null : readFileOrStdin('HANSARD_OIDC_CLIENT_SECRET_FILE', file)
}

/**
 * Sends requests to a sign-in provider. Its own origin is always allowed. Every other address in its discovery document
 * must obey the policy, so that the document can't make the service call private addresses.
 */
export function createProviderFetch(
  trustedOrigin: string,
  policy: NetworkPolicy,
): { fetch: ProviderFetch; close(): Promise<void> } {
  const agents = new Map<number | 'trusted', Undici.Agent>()
  const agentFor = (port: number | 'trusted'): Undici.Agent => {
    const existing = agents.get(port)
    if (existing !== undefined) return existing
    const agent = new (undici().Agent)({
      maxResponseSize: MAX_RESPONSE_BYTES,
      connections: 10,
      ...(port !== 'trusted' && { connect: { lookup: policy.guardedLookup(port) } }),
    })
    agents.set(port, agent)
    return agent
  }

  const fetch: ProviderFetch = async (url, options) => {
    const { origin, port, protocol } = new URL(url)
    const isTrusted = origin === trustedOrigin
    const problem = isTrusted ? null : policy.checkUrl(url)
    if (problem !== null) throw new Error(`the sign-in provider names ${origin}: ${problem}`)
    const dispatcher = agentFor(
      isTrusted ? 'trusted' : Number(port || (protocol === 'https:' ? 443 : 80)),
    )
    const request = { ...options, dispatcher } as unknown as Undici.RequestInit
    // undici and the standard library have different types for the same object.
    const response: unknown = await undici().fetch(url, request)
    return response as Response
  }
  return {
    fetch,
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}
