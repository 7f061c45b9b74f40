import { sql } from 'kysely'
import { findLastAuditEntryByAction } from '../../accounts/audit.ts'
import {
  type HostEnvironment,
  findBrowser,
  readBrowserVersion,
  type BrowserSettings,
} from '../../bots/browser/launch/find-browser.ts'
import { type IsolationLevel, probeBrowserIsolation } from '../../bots/browser/launch/isolation.ts'
import type { ProbeSite } from '../../bots/browser/network/reachability/probe-site.ts'
import {
  findAskModelName,
  findRecapModelName,
  toModelSettings,
  type Config,
  needsDiskSpace,
} from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import { listNodes, type NodeStatus } from '../../db/nodes/node-rows.ts'
import { ServiceError } from '../../errors.ts'
import { createLazyValue } from '../../lib/async/sharing.ts'
import { readFreeDiskMb } from '../../lib/files/folders.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Log } from '../../log.ts'
import {
  countActiveMeetingsByNode,
  countMeetingsAndMeasureEvidence,
} from '../../meetings/metrics.ts'
import { readDocumentCountAndSize } from '../../projects/index/index-store.ts'
import {
  STANDARD_CHECKS,
  DEEP_CHECKS,
  runCheck,
  type CheckResult,
  type DoctorCheck,
} from '../doctor/checks.ts'
import {
  createModelDiagnostics,
  type ModelCheckResult,
  type ConfiguredModels,
} from './model-status.ts'

/** Information for administrators about the instance and the node that answers the request. */
export interface SystemArea {
  listChecks(): Array<{ name: string; isDeep: boolean }>
  /** Runs one check of `hansard doctor` inside the service. */
  runCheck(name: string): Promise<CheckResult>
  versions(): Promise<SoftwareVersions>
  storage(): Promise<StorageUsage>
  nodes(): Promise<SystemNode[]>
  models(): ConfiguredModels
  checkModel(name: string): Promise<ModelCheckResult>
}

/** A node, and the number of meetings that it attends. `isThis`: this node answers the request. */
export type SystemNode = NodeStatus & { meetings: number; isThis: boolean }

type Parts = {
  config: Config
  db: Db
  clock: Clock
  log: Log
  version: string
  machine: HostEnvironment
  cache: string
  nodeId: string
  /** Description of the database for people. */
  database: string
  address(): string
  /** Tests replace the internet. */
  probeSite?: ProbeSite | undefined
}

/** How much the instance stores, and how much disk space is left. */
type StorageUsage = {
  folder: string
  database: string
  freeDiskMb: number
  documentPlace: Config['documents']
  /** With less free disk space than this, no meeting is started. */
  minFreeDiskMb: number
  databaseBytes: number
  meetings: number
  documents: { count: number; bytes: number }
  evidence: { count: number; bytes: number }
  /** The last backup made with the command line. `file` is null if it was written to standard output. */
  lastBackup: { at: Date; file: string | null } | null
}

type StorageUseParts = { db: Db; config: Config; database: string }

type SoftwareVersions = {
  service: string
  node: string
  postgres: string
  /** Version of the browser. Null on a node without bots, and if none can be started. The check `browser` shows why. */
  browser: string | null
  /** How the browser is isolated. Null for the operator's own Chrome, and if none can be started. */
  browserIsolation: IsolationLevel | null
}

type VersionsParts = {
  db: Db
  version: string
  settings: BrowserSettings & Pick<Config, 'browserArgs' | 'roles'>
  machine: HostEnvironment
  /** The folder for the unpacked browser. */
  cache: string
  log: Log
}

type BrowserFacts = Pick<SoftwareVersions, 'browser' | 'browserIsolation'>

const NO_BROWSER: BrowserFacts = { browser: null, browserIsolation: null }

export function createSystemArea(parts: Parts): SystemArea {
  const { config, db, clock, log, version, machine, cache, nodeId, database, address } = parts
  const checks = new Map([...STANDARD_CHECKS, ...DEEP_CHECKS].map((check) => [check.name, check]))
  const running = new Map<string, Promise<CheckResult>>()
  const kept = new Map<string, { result: CheckResult; untilMs: number }>()
  const models = createModelDiagnostics({
    db,
    clock,
    log,
    settings: toModelSettings(config),
    coachModel: config.aiCoachModel,
    recapModel: findRecapModelName(config),
    askModel: findAskModelName(config),
    budget: { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd },
    pricesFile: config.aiPricesFile,
  })
  const versions = createLazyValue(() =>
    readSoftwareVersions({ db, version, settings: config, machine, cache, log }),
  )

  async function runAndKeep(check: DoctorCheck): Promise<CheckResult> {
    const earlier = kept.get(check.name)
    if (earlier !== undefined && clock.now().getTime() < earlier.untilMs) return earlier.result
    const runningService = { db, database, address: address() }
    const result = await runCheck(check, { config, runningService, probeSite: parts.probeSite })
    const { keepResultMs } = check
    if (keepResultMs !== undefined)
      kept.set(check.name, { result, untilMs: clock.now().getTime() + keepResultMs })
    return result
  }

  return {
    listChecks: () => [
      ...STANDARD_CHECKS.map(({ name }) => ({ name, isDeep: false })),
      ...DEEP_CHECKS.map(({ name }) => ({ name, isDeep: true })),
    ],
    runCheck(name) {
      const check = checks.get(name)
      if (check === undefined) throw new ServiceError('not_found')
      // Requests during a running check share its result, because some checks start a browser.
      const started = running.get(name) ?? runAndKeep(check).finally(() => running.delete(name))
      running.set(name, started)
      return started
    },
    versions: versions.get,
    storage: () => readStorageUsage({ db, config, database }),
    async nodes() {
      const meetings = await countActiveMeetingsByNode(db)
      return (await listNodes(db)).map((node) => ({
        ...node,
        meetings: meetings.get(node.id) ?? 0,
        isThis: node.id === nodeId,
      }))
    },
    models: models.facts,
    checkModel: models.check,
  }
}

async function readStorageUsage(parts: StorageUseParts): Promise<StorageUsage> {
  const { db, config, database } = parts
  const { data: folder, documents: documentPlace } = config
  const { rows } = await sql<{ bytes: string }>`
    select pg_database_size(current_database()) as bytes`.execute(db)
  const backup = await findLastAuditEntryByAction(db, 'backup made')
  return {
    folder,
    database,
    freeDiskMb: readFreeDiskMb(folder),
    documentPlace,
    minFreeDiskMb: needsDiskSpace(config) ? config.minFreeDiskMb : 0,
    databaseBytes: Number(rows[0]?.bytes ?? 0),
    ...(await countMeetingsAndMeasureEvidence(db)),
    documents: await readDocumentCountAndSize(db),
    lastBackup: backup && { at: backup.at, file: backup.object },
  }
}

async function readSoftwareVersions({
  db,
  version,
  ...browser
}: VersionsParts): Promise<SoftwareVersions> {
  const [{ rows }, found] = await Promise.all([
    sql<{ server_version: string }>`show server_version`.execute(db),
    probeBrowser(browser),
  ])
  return {
    service: version,
    node: process.versions.node,
    postgres: rows[0]?.server_version ?? '',
    ...found,
  }
}

/** Starts the browser to read its version and its isolation. */
async function probeBrowser(parts: Omit<VersionsParts, 'db' | 'version'>): Promise<BrowserFacts> {
  const { settings, machine, cache, log } = parts
  try {
    const source = settings.roles.includes('bots') ? await findBrowser(settings, machine) : null
    if (source === null) return NO_BROWSER
    return {
      browser: await readBrowserVersion(source, cache, machine),
      browserIsolation: await probeBrowserIsolation({
        source,
        settings,
        host: machine,
        cache,
        log,
      }),
    }
  } catch (error) {
    log.warn({ err: error }, 'failed to start the browser to read its version')
    return NO_BROWSER
  }
}
