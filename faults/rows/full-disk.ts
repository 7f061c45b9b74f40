import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../../src/lib/error-code.ts'
import { createTestDataFolder } from '../../test/support/service/service-process.ts'
import { eventually } from '../../test/support/time/eventually.ts'
import type { FaultRow } from '../fault-row.ts'
import { runUnderTraffic, seconds, type Traffic } from '../traffic/under-traffic.ts'

const DISK_MB = 64
const MIN_FREE_MB = 8
/** Meetings continue without a document, so captions keep arriving. */
const ATTENDED_MS = 10_000
/** A node is ready again this long after there is space. */
const READY_MS = 5_000
const READY_LIMIT_MS = 60_000

export const fullDisk: FaultRow = {
  about: 'the disk with the data folder is full for 20 s',
  async run(context) {
    await using stack = new AsyncDisposableStack()
    const folder = stack.use(createTestDataFolder())
    mkdirSync(folder.data)
    const problem = mountSmallDisk(folder.data)
    if (problem !== null) return { skipped: problem }
    const unmount = () => unmountDisk(folder.data)
    process.once('exit', unmount)
    stack.defer(() => {
      process.off('exit', unmount)
      unmount()
    })
    return await runUnderTraffic({
      context,
      folder,
      env: { HANSARD_MIN_FREE_DISK_MB: String(MIN_FREE_MB) },
      async inject(traffic) {
        const file = join(folder.data, 'filler')
        fillDisk(file)
        const fullAt = Date.now()
        await checkRefused(traffic)
        await sleep(context.isShort ? 8_000 : 20_000)
        await traffic.waitUntilAttended(Date.now(), ATTENDED_MS, 'while the disk is full')
        const fullMs = Date.now() - fullAt
        rmSync(file)
        const readyMs = await measureReady(traffic)
        return {
          figure: `full for ${seconds(fullMs)}, starts refused, ready again after ${seconds(readyMs)}`,
          values: { fullMs, readyMs },
        }
      },
    })
  },
}

/** Returns why a small disk cannot be mounted; null if it is mounted. */
function mountSmallDisk(path: string): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux may mount a small disk'
  try {
    const options = `size=${DISK_MB}m,mode=700`
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `a small disk cannot be mounted: ${String(error).split('\n')[0]}`
  }
}

function unmountDisk(path: string): void {
  // Lazily, because a process that is ending may still have a file open.
  execFileSync('umount', ['--lazy', path], { stdio: 'pipe' })
}

/** Writes smaller and smaller blocks until not even one byte fits. */
function fillDisk(file: string): void {
  const fd = openSync(file, 'w')
  for (let size = 1024 * 1024; size >= 1;) {
    try {
      writeSync(fd, Buffer.alloc(size, 1))
    } catch (error) {
      if (errorCode(error) !== 'ENOSPC') throw error
      size = Math.floor(size / 2)
    }
  }
  closeSync(fd)
}

async function checkRefused({ cluster, report }: Traffic): Promise<void> {
  for (const node of cluster.nodes) {
    const ready = await eventually(async () => {
      const { status } = await cluster.call(node, 'GET', '/readyz')
      return status === 503 ? status : null
    }, READY_LIMIT_MS)
    const body = { url: 'practice://host-ends', callbackUrl: cluster.receiver.url }
    const { status, body: answer } = await cluster.call(node, 'POST', '/api/v1/meetings/start', {
      body,
    })
    if (ready !== 503 || status !== 503 || answer['code'] !== 'storage_full')
      report(
        `a start at ${node.name} with a full disk answered ${status} ${String(answer['code'])}`,
      )
  }
}

async function measureReady({ cluster, report }: Traffic): Promise<number> {
  const began = performance.now()
  for (const node of cluster.nodes) {
    await eventually(async () => {
      const { status } = await cluster.call(node, 'GET', '/readyz')
      return status === 200 ? true : null
    }, READY_LIMIT_MS)
  }
  const readyMs = performance.now() - began
  if (readyMs > READY_MS) report(`ready after ${seconds(readyMs)}, allowed ${seconds(READY_MS)}`)
  return readyMs
}
