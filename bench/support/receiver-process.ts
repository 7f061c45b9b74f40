import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type ArrivalAges = { count: number; p50: number; p99: number; size: number }

/** Runs a receiver in a child process, so that its cost is not counted. */
export async function startReceiverProcess() {
  const child = fork(join(import.meta.dirname, '../servers/receiver.ts'), { stdio: 'inherit' })
  const [{ url, hangingUrl }] = (await once(child, 'message')) as [
    { url: string; hangingUrl: string },
  ]
  const ask = async <T>(question: 'count' | 'take'): Promise<T> => {
    child.send(question)
    const [answer] = (await once(child, 'message')) as [T]
    return answer
  }
  return {
    url,
    hangingUrl,
    /** The ages of the events that arrived since the last call. */
    take: () => ask<ArrivalAges>('take'),
    async count() {
      return (await ask<{ count: number }>('count')).count
    },
    /** Resolves when this number of events has arrived in total. */
    async reaches(wanted: number) {
      while ((await this.count()) < wanted) await sleep(20)
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

export type ReceiverProcess = Awaited<ReturnType<typeof startReceiverProcess>>
