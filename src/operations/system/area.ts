import {
  findAskModelName,
  findRecapModelName,
  toModelSettings,
} from '../../config/model-settings.ts'
import type { ProbeSite } from '../../bots/browser/network/reachability/probe-site.ts'
import type { HostEnvironment } from '../../bots/browser/launch/find-browser.ts'
import type { Config } from '../../config/config.ts'
import { listNodes, type NodeStatus } from '../../db/nodes/node-list.ts'
import type { Db } from '../../db/database.ts'
import {
  STANDARD_CHECKS,
  DEEP_CHECKS,
  runCheck,
  type CheckResult,
  type DoctorCheck,
} from '../doctor/checks.ts'
import { ServiceError } from '../../errors.ts'
import { countActiveMeetingsByNode } from '../../meetings/reading/meeting-usage.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { createLazyValue } from '../../lib/async/sharing/lazy.ts'
import type { Log } from '../../log.ts'
import {
  createModelDiagnostics,
  type ModelCheckResult,
  type ConfiguredModels,
} from './model-status.ts'
import { readStorageUsage, type StorageUsage } from './storage-use.ts'
import { readSoftwareVersions, type SoftwareVersions } from './versions.ts'

/** Information for administrators about the instance and about the node that answers the request. */
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

/** A node, how many meetings it attends, and whether it is the one that answers. */
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
