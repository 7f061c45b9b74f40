import { Counter, Gauge, type Registry } from 'prom-client'
import type { ExecutionStatus, SkipReason } from './task.ts'

export interface TaskMetrics {
  countEnded(status: ExecutionStatus): void
  countSkipped(reason: SkipReason): void
  register(registry: Registry): void
}

export function createTaskMetrics(countRunning: () => number): TaskMetrics {
  const ended = new Counter({
    name: 'hansard_executions_total',
    help: 'Executions of tasks that ended on this node',
    labelNames: ['status'],
    registers: [],
  })
  const skipped = new Counter({
    name: 'hansard_due_times_skipped_total',
    help: 'Due times of tasks that started no execution',
    labelNames: ['reason'],
    registers: [],
  })
  const runningNow = new Gauge({
    name: 'hansard_executions_running',
    help: 'Executions that are running on this node',
    registers: [],
    collect() {
      this.set(countRunning())
    },
  })
  return {
    countEnded: (status) => ended.inc({ status }),
    countSkipped: (reason) => skipped.inc({ reason }),
    register(registry) {
      registry.registerMetric(ended)
      registry.registerMetric(skipped)
      registry.registerMetric(runningNow)
    },
  }
}
