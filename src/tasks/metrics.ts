import { Counter, Gauge, type Registry } from 'prom-client'
import type { ExecutionStatus, SkipReason } from './task.ts'

export interface TaskMetrics {
  countEnded(status: ExecutionStatus): void
  countSkipped(reason: SkipReason): void
  register(registry: Registry): void
}

export function createTaskMetrics(running: () => number): TaskMetrics {
  const ended = new Counter({
    name: 'hansard_executions_total',
    help: 'Executions of tasks that came to an end on this node',
    labelNames: ['status'],
    registers: [],
  })
  const skipped = new Counter({
    name: 'hansard_due_times_skipped_total',
    help: 'Due times of tasks that brought no execution',
    labelNames: ['reason'],
    registers: [],
  })
  const now = new Gauge({
    name: 'hansard_executions_running',
    help: 'Executions this node carries out now',
    registers: [],
    collect() {
      this.set(running())
    },
  })
  return {
    countEnded: (status) => ended.inc({ status }),
    countSkipped: (reason) => skipped.inc({ reason }),
    register(registry) {
      registry.registerMetric(ended)
      registry.registerMetric(skipped)
      registry.registerMetric(now)
    },
  }
}
