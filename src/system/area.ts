import { modelSettings } from '../adviser.ts'
import type { Machine } from '../browser/find.ts'
import type { Config } from '../config.ts'
import { listNodes, type NodeRow } from '../db/nodes.ts'
import type { Db } from '../db/open.ts'
import { CHECKS, DEEP_CHECKS, runCheck, type Finding } from '../doctor/examine.ts'
import { ServiceError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { once } from '../lib/once.ts'
import { createModelFacts, type ModelAnswer, type ModelFacts } from './models.ts'
import { readStorageUse, type StorageUse } from './storage-use.ts'
import { readVersions, type Versions } from './versions.ts'

/** What an administrator sees of the instance, and of the node that answers. */
export interface System {
  checks(): Array<{ name: string; isDeep: boolean }>
  /** Runs a check of `hansard doctor` in this process. */
  check(name: string): Promise<Finding>
  versions(): Promise<Versions>
  storage(): Promise<StorageUse>
  nodes(): Promise<Array<NodeRow & { isThis: boolean }>>
  models(): ModelFacts
  checkModel(name: string): Promise<ModelAnswer>
}

type Parts = {
  config: Config
  db: Db
  clock: Clock
  version: string
  machine: Machine
  cache: string
  nodeId: string
  /** For a person: which database. */
  database: string
  address(): string
}

export function createSystem(parts: Parts): System {
  const { config, db, clock, version, machine, cache, nodeId, database, address } = parts
  const checks = new Map([...CHECKS, ...DEEP_CHECKS].map((check) => [check.name, check]))
  const running = new Map<string, Promise<Finding>>()
  const models = createModelFacts({
    db,
    clock,
    settings: modelSettings(config),
    coachModel: config.aiCoachModel,
    budget: { dailyTokens: config.aiDailyTokens, monthlyUsd: config.aiMonthlyUsd },
    pricesFile: config.aiPricesFile,
  })
  const versions = once(() => readVersions({ db, version, settings: config, machine, cache }))

  return {
    checks: () => [
      ...CHECKS.map(({ name }) => ({ name, isDeep: false })),
      ...DEEP_CHECKS.map(({ name }) => ({ name, isDeep: true })),
    ],
    check(name) {
      const check = checks.get(name)
      if (check === undefined) throw new ServiceError('not_found')
      // Whoever asks while it runs gets its answer too: some start a browser.
      const started =
        running.get(name) ??
        runCheck(check, { config, inside: { db, database, address: address() } }).finally(() =>
          running.delete(name),
        )
      running.set(name, started)
      return started
    },
    versions: versions.get,
    storage: () =>
      readStorageUse({ db, folder: config.data, database, minFreeDiskMb: config.minFreeDiskMb }),
    nodes: async () =>
      (await listNodes(db)).map((node) => ({ ...node, isThis: node.id === nodeId })),
    models: models.facts,
    checkModel: models.check,
  }
}
