import type { LookupAddress, LookupAllOptions } from 'node:dns'

/** The signature of `dns.lookup` with `all: true`. */
export type ResolveHost = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** Who takes longer keeps a thread from others. */
const SLOW_MS = 1_000
const MAX_REMEMBERED = 10_000

export type FairLookupOptions = {
  /** How many the system does at the same time. */
  threads: number
  /** Milliseconds that never go back. */
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
 * The system looks a name up in a thread, which is taken until the name server has answered or was given up, and
 * there are few of them. Names whose server was quick the last time go at once; all others together leave one thread
 * free, and those that were slow come last. The same question is asked once.
 */
export function createFairLookup(
  resolve: ResolveHost,
  { threads, now = () => performance.now() }: FairLookupOptions,
): ResolveHost {
  const mostStrangers = Math.max(1, threads - 1)
  const asked = new Map<string, DnsQuery>()
  const wasQuick = new Map<string, boolean>()
  const fresh: DnsQuery[] = []
  const slow: DnsQuery[] = []
  let strangers = 0

  function ask(question: DnsQuery, isStranger: boolean): void {
    const begunAt = now()
    if (isStranger) strangers += 1
    resolve(question.name, question.options, (error, addresses) => {
      asked.delete(question.key)
      remember(question.name, now() - begunAt < SLOW_MS)
      if (isStranger) strangers -= 1
      for (const callback of question.callbacks) callback(error, addresses)
      const next = isStranger ? (fresh.shift() ?? slow.shift()) : undefined
      if (next !== undefined) ask(next, true)
    })
  }

  function remember(name: string, isQuick: boolean): void {
    wasQuick.delete(name)
    wasQuick.set(name, isQuick)
    if (wasQuick.size <= MAX_REMEMBERED) return
    const [oldest = ''] = wasQuick.keys()
    wasQuick.delete(oldest)
  }

  return (name, wanted, callback) => {
    const key = JSON.stringify([name, wanted])
    const same = asked.get(key)
    if (same !== undefined) return void same.callbacks.push(callback)
    const question = { key, name, options: wanted, callbacks: [callback] }
    asked.set(key, question)
    const known = wasQuick.get(name)
    if (known === true) ask(question, false)
    else if (strangers < mostStrangers) ask(question, true)
    else (known === undefined ? fresh : slow).push(question)
  }
}

/** Of a pool of threads as UV_THREADPOOL_SIZE sets it, look-ups get half. */
export function dnsThreadCount(poolSize: string | undefined): number {
  return Math.floor((Number(poolSize) || 4) / 2)
}
