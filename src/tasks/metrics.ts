import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import { coalesceReadsInSameTick } from '../lib/async/sharing.ts'
import { countQueuedExecutions } from './executions/execution-store.ts'
import type { ExecutionStatus, SkipReason } from './task.ts'
import { sumUsageByModel, type ModelUsageSum } from '../ai/usage.ts'

export function createTaskMetrics(db: Db, countRunning: () => number) {
  const ended = new Counter<string>({
    name: 'hansard_executions_total',
    help: 'Executions of tasks that ended on this node',
    labelNames: ['status'],
    registers: [],
  })
  const skipped = new Counter<string>({
    name: 'hansard_due_times_skipped_total',
    help: 'Due times of tasks that started no execution',
    labelNames: ['reason'],
    registers: [],
  })
  const runningNow = new Gauge<string>({
    name: 'hansard_executions_running',
    help: 'Executions that are running on this node',
    registers: [],
    collect() {
      this.set(countRunning())
    },
  })
  const queued = new Gauge<string>({
    name: 'hansard_executions_queued',
    help: 'Executions of the instance that wait for a node, the same on every node',
    registers: [],
    async collect() {
      this.set(await countQueuedExecutions(db))
    },
  })
  const metrics = [ended, skipped, runningNow, queued, ...createUsageCounters(db)]
  return {
    countEnded: (status: ExecutionStatus) => ended.inc({ status }),
    countSkipped: (reason: SkipReason) => skipped.inc({ reason }),
    register(registry: Registry): void {
      for (const metric of metrics) registry.registerMetric(metric)
    },
  }
}

export type TaskMetrics = ReturnType<typeof createTaskMetrics>

/** Usage is stored forever and only grows, so its sums in the database are counters that survive a restart. */
function createUsageCounters(db: Db): Counter[] {
  const coalesce = coalesceReadsInSameTick<ModelUsageSum[]>()
  // Both counters of a scrape share one read.
  const readUsage = () => coalesce('usage', () => sumUsageByModel(db))
  const tokens = new Counter({
    name: 'hansard_model_tokens_total',
    help: 'Tokens that the instance used, by kind: input (not cached), cached_input or output; the same on every node',
    labelNames: ['model', 'kind'],
    registers: [],
    async collect() {
      const sums = await readUsage()
      // Nothing may be awaited from here on, because another scrape may collect at the same time.
      this.reset()
      for (const { model, input, cachedInput, output } of sums) {
        this.inc({ model, kind: 'input' }, input)
        this.inc({ model, kind: 'cached_input' }, cachedInput)
        this.inc({ model, kind: 'output' }, output)
      }
    },
  })
  const cost = new Counter({
    name: 'hansard_model_cost_dollars_total',
    help: 'Cost of the tokens with a known price, in US dollars; the same on every node',
    labelNames: ['model'],
    registers: [],
    async collect() {
      const sums = await readUsage()
      this.reset()
      for (const { model, costUsd } of sums) this.inc({ model }, costUsd)
    },
  })
  return [tokens, cost]
}
