import type { LookupAddress, LookupAllOptions } from 'node:dns'

/** The signature of `dns.lookup` with `all: true`. */
export type ResolveHost = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** A lookup that takes longer is slow: it blocks a thread that other lookups need. */
const SLOW_MS = 1_000
const MAX_REMEMBERED = 10_000

export type FairDnsLookupOptions = {
  /** How many lookups the system runs concurrently. */
  threads: number
  /** Monotonic clock, milliseconds. */
  now?: () => number
}

type LookupCallback = Parameters<ResolveHost>[2]
type DnsQuery = {
  key: string
  name: string
  options: LookupAllOptions
  callbacks: LookupCallback[]
}

/**
 * Each DNS lookup blocks one of a few threads until the name server answers or times out. Names whose last lookup was
 * fast are looked up immediately. All other names leave one thread free, and names that were slow wait longest.
 * Identical concurrent lookups share one query.
 */
export function createFairDnsLookup(
  resolve: ResolveHost,
  { threads, now = () => performance.now() }: FairDnsLookupOptions,
): ResolveHost {
  const maxUnproven = Math.max(1, threads - 1)
  const inFlight = new Map<string, DnsQuery>()
  const wasFast = new Map<string, boolean>()
  const waitingNew: DnsQuery[] = []
  const waitingSlow: DnsQuery[] = []
  /** Running lookups of names that were slow or never looked up. */
  let unprovenInFlight = 0

  function run(query: DnsQuery, isUnproven: boolean): void {
    const startedAt = now()
    if (isUnproven) unprovenInFlight += 1
    resolve(query.name, query.options, (error, addresses) => {
      inFlight.delete(query.key)
      rememberSpeed(query.name, now() - startedAt < SLOW_MS)
      if (isUnproven) unprovenInFlight -= 1
      for (const callback of query.callbacks) callback(error, addresses)
      const next = isUnproven ? (waitingNew.shift() ?? waitingSlow.shift()) : undefined
      if (next !== undefined) run(next, true)
    })
  }

  function rememberSpeed(name: string, isFast: boolean): void {
    wasFast.delete(name)
    wasFast.set(name, isFast)
    if (wasFast.size <= MAX_REMEMBERED) return
    const [oldest = ''] = wasFast.keys()
    wasFast.delete(oldest)
  }

  return (name, options, callback) => {
    const key = JSON.stringify([name, options])
    const same = inFlight.get(key)
    if (same !== undefined) return void same.callbacks.push(callback)
    const query = { key, name, options, callbacks: [callback] }
    inFlight.set(key, query)
    const known = wasFast.get(name)
    if (known === true) run(query, false)
    else if (unprovenInFlight < maxUnproven) run(query, true)
    else (known === undefined ? waitingNew : waitingSlow).push(query)
  }
}

/** DNS lookups may use half of the thread pool, whose size is UV_THREADPOOL_SIZE. */
export function dnsThreadCount(uvThreadPoolSize: string | undefined): number {
  return Math.floor((Number(uvThreadPoolSize) || 4) / 2)
}
