import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { createAccountsArea, type AccountsArea } from './accounts/area.ts'
import { createSigningSecrets, type SigningSecrets } from './accounts/signing-secrets.ts'
import { createAdvisers } from './adviser.ts'
import type { Bots } from './bots.ts'
import type { Config } from './config.ts'
import { freeDiskMb } from './lib/free-disk.ts'
import { openPresence, type Presence } from './db/presence.ts'
import { openDeliveries, type DeliveriesArea } from './deliveries/area.ts'
import type { LaneRules } from './deliveries/judge.ts'
import { listenerName } from './deliveries/listeners.ts'
import { createNetworkPolicy } from './deliveries/network/policy.ts'
import { OperatorError } from './errors.ts'
import type { Clock } from './lib/clock.ts'
import { messageOf } from './lib/error-code.ts'
import type { Log } from './log.ts'
import { openMeetings, type MeetingsArea } from './meetings/area.ts'
import { botsFor, PRACTICE_BOTS } from './meetings/capacity.ts'
import { isLastEvent } from './meetings/events.ts'
import type { Platform } from './platforms/platform.ts'
import { openProjects, type ProjectsArea } from './projects/area.ts'
import type { Storage } from './storage.ts'

export type Areas = AsyncDisposable & {
  presence: Presence
  accounts: AccountsArea
  meetings: MeetingsArea
  deliveries: DeliveriesArea
  projects: ProjectsArea
  secretsOf(tokenId: string): Promise<SigningSecrets | null>
}

type Parts = {
  config: Config
  log: Log
  clock: Clock
  storage: Storage
  platforms: readonly Platform[]
  botAccounts: Bots['accounts']
  laneRules: Partial<LaneRules> | undefined
  /** Where this service itself listens: callbacks never go there. */
  ownPorts(): number[]
  /** How many names this process looks up at the same time. */
  lookUpThreads: number
}

/** What the service does, without the wire to it. */
export async function openAreas(parts: Parts): Promise<Areas> {
  const { config, log, clock, storage, platforms } = parts
  await using stack = new AsyncDisposableStack()
  const { db, pool } = storage.database
  const { secretBox } = storage
  const base = { db, pool, clock, log }
  const bots = { bots: config.maxBots ?? botsFor(machineSize()), practiceBots: PRACTICE_BOTS }
  const ownsDatabase = config.databaseUrl === undefined
  const presence = stack.use(await openPresence({ ...base, capacity: bots, ownsDatabase }))
  const policy = createNetworkPolicy({
    level: config.callbackPolicy,
    allow: config.callbackAllow ?? [],
    deny: config.callbackDeny ?? [],
    ownPorts: parts.ownPorts,
    database: storage.place,
    lookUpThreads: parts.lookUpThreads,
  })
  const refuseCallback = async (url: string) =>
    listenerName(url) === null ? policy.refuseStart(url) : null
  const secretsOf = createSigningSecrets({ db, clock, secretBox })
  const deliveries = stack.use(
    openDeliveries({
      ...base,
      presence,
      policy,
      refuseCallback,
      secretsOf,
      isLast: isLastEvent,
      rules: { timeoutMs: config.callbackTimeout * 1000, ...parts.laneRules },
      giveUpMs: config.callbackGiveUpHours * 3_600_000,
      extraCa: readCa(config.callbackCaFile),
    }),
  )
  const hasRoom = () => freeDiskMb(config.data) >= config.minFreeDiskMb
  const projects = stack.use(await openProjects({ db, pool, log, root: config.data, hasRoom }))
  const meetings = stack.use(
    openMeetings({
      ...base,
      root: config.data,
      platforms,
      presence,
      engine: deliveries.engine,
      projects,
      bots,
      queue: { limit: config.queueLimit, timeoutMs: config.queueTimeout * 1000 },
      timeZone: config.timeZone,
      hasRoom,
      adviserFor: createAdvisers({ config, db, clock }),
      refuseCallback,
      refuseAccount: parts.botAccounts.refuse,
    }),
  )
  const accounts = createAccountsArea({ ...base, secretBox })
  const opened = stack.move()
  return {
    presence,
    accounts,
    meetings,
    deliveries,
    projects,
    secretsOf,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function machineSize() {
  return { memoryMb: Math.floor(totalmem() / 1024 ** 2), cores: availableParallelism() }
}

function readCa(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new OperatorError(
      `The certificates in ${path} cannot be read: ${messageOf(error)}`,
      'Check HANSARD_CALLBACK_CA_FILE',
      error,
    )
  }
}
