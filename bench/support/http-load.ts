import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const CLI = join(import.meta.dirname, '../../node_modules/autocannon/autocannon.js')

export type LoadResult = {
  perSecond: number
  total: number
  p50: number
  p99: number
  failures: number
}

/** Sends requests as fast as possible over ten connections, from a child process. */
export async function runLoad(
  url: string,
  headers: Record<string, string>,
  seconds: number,
): Promise<LoadResult> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  const args = [CLI, '-c', '10', '-d', String(seconds), '--json', ...flags, url]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  await once(child, 'close')
  const result = JSON.parse(printed) as {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    non2xx: number
    errors: number
  }
  return {
    perSecond: result.requests.average,
    total: result.requests.total,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors,
  }
}
