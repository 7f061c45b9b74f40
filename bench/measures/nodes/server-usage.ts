import { readFileSync } from 'node:fs'
import type { Cluster } from '../../../faults/cluster/cluster.ts'
import { errorCode } from '../../../src/lib/error-code.ts'

/** A clock tick in /proc is 10 ms. */
const TICK_MS = 10

/** Settings with which PostgreSQL counts every statement. */
export const COUNTING_OPTIONS = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track': 'top',
  'pg_stat_statements.track_utility': 'off',
}

/** What the nodes and PostgreSQL have used since they started. */
export type Usage = {
  atMs: number
  nodeCpuMs: number
  databaseCpuMs: number
  walBytes: number
  walRecords: number
  statements: number
  events: number
  segments: number
  deliveries: number
  executions: number
}

export async function enableStatementCounts(cluster: Cluster): Promise<void> {
  await cluster.database.query('create extension if not exists pg_stat_statements')
}

export async function readUsage(cluster: Cluster): Promise<Usage> {
  const [row] = await cluster.database.query<Record<string, string>>(`
    select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as "walBytes",
      (select wal_records from pg_stat_wal) as "walRecords",
      (select coalesce(sum(calls), 0) from pg_stat_statements
       join pg_roles on pg_roles.oid = userid where query not like '%pg_stat_statements%') as statements,
      (select count(*) from event) as events,
      (select count(*) from segment) as segments,
      (select count(*) from delivery_attempt) as deliveries,
      (select count(*) from execution where status not in ('queued', 'running')) as executions`)
  const figure = (name: string) => Number(row?.[name] ?? 0)
  return {
    atMs: performance.now(),
    nodeCpuMs: cluster.nodes.reduce((sum, node) => sum + cpuMsOf(node.pid()), 0),
    databaseCpuMs: cpuMsOf(cluster.database.pid()),
    walBytes: figure('walBytes'),
    walRecords: figure('walRecords'),
    statements: figure('statements'),
    events: figure('events'),
    segments: figure('segments'),
    deliveries: figure('deliveries'),
    executions: figure('executions'),
  }
}

/** The difference of two readings. */
export function usageBetween(before: Usage, after: Usage): Usage {
  const names = Object.keys(before) as Array<keyof Usage>
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as Usage
}

/** CPU time of a process with its threads, its children and its ended children. */
export function cpuMsOf(pid: number): number {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean)
  const ticks = [String(pid), ...children].map((id) => {
    const fields = read(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  })
  return ticks.reduce((sum, value) => sum + value, 0) * TICK_MS
}

/** Empty for a process that has meanwhile ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error))) return ''
    throw error
  }
}
